package io.weir.internal.rocksdb;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Closes what is made to everybody but its owner. RocksDB's own files follow the umask. */
final class OwnerOnlyPermissions {
  private OwnerOnlyPermissions() {}

  /** Returns the permissions of a new file; none where files have no such permissions. */
  static FileAttribute<?>[] file(Path place) {
    return permissions(place, "rw-------");
  }

  /**
   * Returns the permissions of a new directory; none where directories have no such permissions.
   */
  static FileAttribute<?>[] directory(Path place) {
    return permissions(place, "rwx------");
  }

  private static FileAttribute<?>[] permissions(Path place, String permissions) {
    return place.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
