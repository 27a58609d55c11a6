package io.weir.internal.rules.database;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Attributes for new files that only their owner may read and write. */
public final class OwnerOnlyAttributes {
  private OwnerOnlyAttributes() {}

  /**
   * Returns the attributes to create such a file with.
   *
   * @param place a file or directory of the same file system
   * @return none where files have no such permissions
   */
  public static FileAttribute<?>[] in(Path place) {
    return place.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
