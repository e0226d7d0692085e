/* The two native methods of Handlers.java. */
#include "Handlers.h"

#include "host.h"

static struct fmu fmu;

JNIEXPORT void JNICALL Java_Handlers_open(JNIEnv *java, jclass class, jstring folder)
{
    (void)class;
    const char *path = (*java)->GetStringUTFChars(java, folder, NULL);
    fmu_open(&fmu, path);
    (*java)->ReleaseStringUTFChars(java, folder, path);
}

JNIEXPORT jdoubleArray JNICALL Java_Handlers_drive(JNIEnv *java, jclass class, jint seed)
{
    (void)class;
    double values[DRIVE];
    drive(&fmu, seed, values);
    jdoubleArray result = (*java)->NewDoubleArray(java, DRIVE);
    (*java)->SetDoubleArrayRegion(java, result, 0, DRIVE, values);
    return result;
}
