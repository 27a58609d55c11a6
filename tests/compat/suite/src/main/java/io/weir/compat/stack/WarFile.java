package io.weir.compat.stack;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The application of an application server: classes of the tests in {@code WEB-INF/classes}, and in
 * {@code WEB-INF/lib} what the module depends on at run time. What the server brings must be a
 * dependency of the scope {@code provided}.
 *
 * <p>Confine to one thread.
 */
public final class WarFile {
  private static final String CLASSES = "WEB-INF/classes/";

  private final TreeMap<String, byte[]> entries = new TreeMap<>();

  private WarFile() {}

  /**
   * Begins a war with the module's libraries.
   *
   * @return a war without classes and without {@code web.xml}
   * @throws IOException if a library can't be read
   */
  public static WarFile withLibraries() throws IOException {
    return new WarFile().addLibraries(StackProcess.LIBRARIES);
  }

  /**
   * Adds {@code weir-rules} and H2, with what they need.
   *
   * @return this
   * @throws IOException if a library can't be read
   */
  public WarFile addRules() throws IOException {
    return addLibraries(StackProcess.RULES_LIBRARIES);
  }

  /** Adds what a file lists whose place a system property names. */
  private WarFile addLibraries(String property) throws IOException {
    String libraries = Files.readString(Path.of(System.getProperty(property)));
    for (String library : libraries.strip().split(File.pathSeparator, -1)) {
      addLibrary(Path.of(library));
    }
    return this;
  }

  private void addLibrary(Path path) throws IOException {
    if (Files.isDirectory(path)) { // a module of the same build that isn't packaged yet
      put(lib("module-" + entries.size() + ".jar"), jar(path));
    } else if (Files.exists(path)) { // the module itself has no main classes
      put(lib(path.getFileName().toString()), Files.readAllBytes(path));
    }
  }

  /**
   * Adds a library that the tests of the module have.
   *
   * @param type the name of one of its classes
   * @return this
   * @throws IOException if it can't be read
   */
  public WarFile addLibraryWith(String type) throws IOException {
    String name = "/" + type.replace('.', '/') + ".class";
    URL found = WarFile.class.getResource(name);
    if (found == null) {
      throw new FileNotFoundException(type + " is no dependency of this module");
    }
    String place = found.toString().replaceFirst("^jar:", "").replaceFirst("!?" + name + "$", "");
    addLibrary(Path.of(URI.create(place)));
    return this;
  }

  private static String lib(String name) {
    return "WEB-INF/lib/" + name;
  }

  private void put(String name, byte[] content) {
    entries.put(name, content);
  }

  private static byte[] jar(Path directory) throws IOException {
    TreeMap<String, byte[]> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = directory.relativize(file).toString().replace(File.separatorChar, '/');
        content.put(name, Files.readAllBytes(file));
      }
    }
    ByteArrayOutputStream jar = new ByteArrayOutputStream();
    write(content, jar);
    return jar.toByteArray();
  }

  private static void write(Map<String, byte[]> content, OutputStream to) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(to)) {
      for (var each : content.entrySet()) {
        jar.putNextEntry(new JarEntry(each.getKey()));
        jar.write(each.getValue());
        jar.closeEntry();
      }
    }
  }

  /**
   * Adds classes with the classes that they declare.
   *
   * @param types classes of the module's tests or of the suite
   * @return this
   * @throws IOException if a class can't be read
   */
  public WarFile add(Class<?>... types) throws IOException {
    for (Class<?> type : types) {
      String name = type.getName().replace('.', '/') + ".class";
      try (InputStream code = type.getResourceAsStream("/" + name)) {
        put(CLASSES + name, code.readAllBytes());
      }
      add(type.getDeclaredClasses());
    }
    return this;
  }

  /**
   * Sets the descriptor.
   *
   * @param elements what is within {@code web-app}
   * @return this
   */
  public WarFile webXml(String elements) {
    String text =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
        %s
        </web-app>
        """
            .replace("%s", elements);
    put("WEB-INF/web.xml", text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /**
   * Lists the libraries.
   *
   * @return the names of the files in {@code WEB-INF/lib}, in alphabetical order
   */
  public List<String> libraries() {
    String prefix = lib("");
    return entries.keySet().stream()
        .filter(each -> each.startsWith(prefix))
        .map(each -> each.substring(prefix.length()))
        .toList();
  }

  /**
   * Writes the war, and replaces a file that is there.
   *
   * @param file such as {@code target/checks.war}
   * @return the file
   * @throws IOException if it can't be written
   */
  public Path write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (OutputStream to = Files.newOutputStream(file)) {
      write(entries, to);
    }
    return file;
  }
}
