// What the renderers use of three.js.
export {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, DynamicDrawUsage, Fog, Group,
  HemisphereLight, InstancedMesh, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, Object3D, PerspectiveCamera, Points, PointsMaterial, Quaternion, Raycaster, Scene, Vector2,
  Vector3, Vector4, WebGLRenderer,
} from 'three';
