import java.io.FileOutputStream;
import java.util.Arrays;

/**
 * Group 3 in Java: Handlers GLUE FOLDER MODE.
 *
 * <p>The virtual machine uses SIGSEGV for its own null checks. They must work
 * before, between and after calls of the library, on several threads, with
 * collections of the virtual machine in between.
 */
public final class Handlers {
    private static final int THREADS = 4;
    private static final int ROUNDS = 25;

    private static native void open(String folder);

    private static native double[] drive(int seed);

    private static final class Box {
        int value;
    }

    /** Half of the boxes are null; compiled code finds out by faults. */
    private static int nullChecks() {
        Box full = new Box();
        int faults = 0;
        for (int n = 0; n < 20000; n++) {
            Box box = n % 2 == 0 ? full : null;
            try {
                box.value++;
            } catch (NullPointerException expected) {
                faults++;
            }
        }
        return faults;
    }

    private static void must(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }

    public static void main(String[] arguments) throws Exception {
        must(nullChecks() == 10000, "null checks before loading");
        System.load(arguments[0]);
        open(arguments[1]);
        must(nullChecks() == 10000, "null checks after loading");
        double[][] expected = new double[THREADS][];
        for (int seed = 0; seed < THREADS; seed++) {
            expected[seed] = drive(seed);
        }
        Thread[] threads = new Thread[THREADS];
        boolean[] good = new boolean[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int seed = t;
            threads[t] = new Thread(() -> {
                boolean equal = true;
                for (int round = 0; round < ROUNDS; round++) {
                    equal &= Arrays.equals(drive(seed), expected[seed]) && nullChecks() == 10000;
                    if (round % 8 == 0) {
                        System.gc();
                    }
                }
                good[seed] = equal;
            });
            threads[t].start();
        }
        for (int t = 0; t < THREADS; t++) {
            threads[t].join();
            must(good[t], "drives of thread " + t);
        }
        try (FileOutputStream figures = new FileOutputStream("/dev/fd/3", true)) {
            figures.write(String.format("  Java %s, %s: %d drives in %d threads bit-equal, %d null checks%n",
                    System.getProperty("java.version"), arguments[2], THREADS * ROUNDS, THREADS,
                    THREADS * ROUNDS * 10000).getBytes());
        }
    }
}
