package io.weir.benchmarks.startup;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * The class path of the application: that of the benchmarks, jar by jar, where libraries can be
 * left out of it.
 *
 * <p>Immutable.
 */
final class ClassPath {
  private final List<String> entries;

  private ClassPath(List<String> entries) {
    this.entries = entries;
  }

  /**
   * Returns that of this JVM.
   *
   * @param made a directory; takes the application's own class, since the jar that it is in names
   *     all libraries as its own
   */
  static ClassPath of(Path made) throws IOException {
    copyApplication(made);
    List<String> entries = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      List<String> named = named(Path.of(each));
      entries.addAll(named.isEmpty() ? List.of(each) : named);
    }
    return new ClassPath(entries);
  }

  private static void copyApplication(Path made) throws IOException {
    String name = Application.class.getName().replace('.', '/') + ".class";
    Path target = Files.createDirectories(made.resolve(name).getParent());
    try (InputStream in = Application.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no class file of the application");
      }
      Files.write(target.resolve("Application.class"), in.readAllBytes());
    }
  }

  /** Returns the jars that a jar of jars names; none if it is none. */
  private static List<String> named(Path jar) throws IOException {
    if (!Files.isRegularFile(jar)) {
      return List.of();
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      String path =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      if (path == null) {
        return List.of();
      }
      URI from = jar.toUri();
      List<String> named = new ArrayList<>();
      for (String each : path.trim().split(" +")) {
        named.add(Path.of(from.resolve(each)).toString());
      }
      return named;
    }
  }

  /** Returns all but the libraries whose files begin so; with an empty text, all. */
  String without(String library) {
    return entries.stream()
        .filter(each -> library.isEmpty() || !fileName(each).startsWith(library))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String fileName(String entry) {
    Path name = Path.of(entry).getFileName();
    return name == null ? "" : name.toString();
  }
}
