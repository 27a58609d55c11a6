package io.weir.compat.release;

import java.util.Set;

/** Reads the coordinates of a file from its path in a Maven repository. */
record BundleFile(String path) {
  private static final Set<String> COMPANIONS = Set.of("asc", "md5", "sha1", "sha256", "sha512");

  private String fromEnd(int index) {
    String[] parts = path.split("/");
    return index < parts.length ? parts[parts.length - 1 - index] : "";
  }

  String name() {
    return fromEnd(0);
  }

  String version() {
    return fromEnd(1);
  }

  String artifact() {
    return fromEnd(2);
  }

  String group() {
    String tail = "/" + artifact() + "/" + version() + "/" + name();
    return path.endsWith(tail)
        ? path.substring(0, path.length() - tail.length()).replace('/', '.')
        : "";
  }

  /** Returns whether it is a signature or a checksum of another file. */
  boolean isCompanion() {
    return COMPANIONS.contains(path.substring(path.lastIndexOf('.') + 1));
  }

  /**
   * Returns the path of the same artifact's file with another end, such as {@code -sources.jar}.
   */
  String sibling(String end) {
    return path.substring(0, path.lastIndexOf('/') + 1) + artifact() + "-" + version() + end;
  }

  /** Returns whether folders and name follow the layout of a Maven repository. */
  boolean followsLayout() {
    String start = artifact() + "-" + version();
    return !group().isEmpty()
        && name().startsWith(start)
        && name().length() > start.length()
        && (name().charAt(start.length()) == '.' || name().charAt(start.length()) == '-');
  }
}
