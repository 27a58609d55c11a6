package io.weir.compat.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Holds the files of a zip for Maven Central's portal, by their paths. */
final class Bundle {
  /** The largest bundle that the portal takes: 1 GB. */
  static final long MAX_BYTES = 1L << 30;

  private final SortedMap<String, byte[]> files;

  Bundle(SortedMap<String, byte[]> files) {
    this.files = new TreeMap<>(files);
  }

  static Bundle read(Path zip) throws IOException {
    if (Files.size(zip) > MAX_BYTES) {
      throw new IOException(zip + ": " + Files.size(zip) + " bytes; the portal takes 1 GB at most");
    }
    SortedMap<String, byte[]> files = new TreeMap<>();
    try (ZipFile file = new ZipFile(zip.toFile())) {
      Enumeration<? extends ZipEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (!entry.isDirectory()) {
          files.put(entry.getName(), file.getInputStream(entry).readAllBytes());
        }
      }
    }
    return new Bundle(files);
  }

  List<BundleFile> files() {
    return files.keySet().stream().map(BundleFile::new).toList();
  }

  /** Returns the files that need a signature and checksums: all that aren't one themselves. */
  List<BundleFile> mainFiles() {
    return files().stream().filter(file -> !file.isCompanion()).toList();
  }

  List<BundleFile> poms() {
    return mainFiles().stream().filter(file -> file.path().endsWith(".pom")).toList();
  }

  boolean has(String path) {
    return files.containsKey(path);
  }

  byte[] content(String path) {
    byte[] content = files.get(path);
    if (content == null) {
      throw new IllegalArgumentException(path + " isn't in the bundle");
    }
    return content;
  }
}
