package io.weir.internal.control.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsoleFilesTest {
  private static final Path SOURCES = Path.of("src/main/resources/io/weir/console");

  private static Set<String> inSources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(Files::isRegularFile)
          .map(each -> SOURCES.relativize(each).toString().replace('\\', '/'))
          .filter(each -> !each.equals("files.txt"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void theListHasEachFile() throws IOException {
    List<String> listed = Files.readAllLines(SOURCES.resolve("files.txt"));
    assertEquals(List.copyOf(inSources()), listed, "files.txt, in the order of names");
    for (String each : listed) {
      assertTrue(ConsoleFiles.get().find(each).isPresent(), each);
    }
  }

  @Test
  void theFilesAreSmall() throws IOException {
    long all = 0;
    long sent = 0;
    for (String each : inSources()) {
      ConsoleFile file = ConsoleFiles.get().find(each).orElseThrow();
      all += file.bytes(false).length;
      sent += file.bytes(file.isSmallerCompressed()).length;
    }
    assertTrue(all <= 324_000, all + " bytes");
    assertTrue(sent <= 150_000, sent + " bytes compressed");
  }

  @Test
  void aFileOfAnUnknownKindIsReported() {
    assertThrows(IllegalArgumentException.class, () -> ConsoleFile.of("a.exe", new byte[1]));
    assertEquals(
        "text/plain",
        ConsoleFile.of("vendor.d/LICENSE", new byte[1]).type().toString().split(";")[0]);
  }

  @Test
  void theTagIsThatOfTheContent() {
    ConsoleFile one = ConsoleFile.of("a.js", new byte[] {1});
    assertEquals(one.tag(false), ConsoleFile.of("b.js", new byte[] {1}).tag(false));
    assertFalse(one.tag(false).equals(ConsoleFile.of("a.js", new byte[] {2}).tag(false)));
    assertFalse(one.tag(false).equals(one.tag(true)));
    assertFalse(one.isSmallerCompressed());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|false",
        "gzip|true",
        "GZip|true",
        "br, gzip;q=0.5|true",
        "gzip;q=0|false",
        "gzip; q=0.000|false",
        "gzip;q=0.001|true",
        "*|true",
        "*;q=0|false",
        "gzip;q=0, *|false",
        "*;q=0, gzip|true",
        "identity|false",
        "x-gzipped, deflate|false",
        ",;=,|false"
      })
  void gzipIsSentToThoseThatTakeIt(String field, boolean isTaken) {
    assertEquals(isTaken, AcceptedEncodings.includeGzip(field));
  }

  /** As it is published; elsewhere tests have a directory of classes. */
  @Test
  void theFilesAreFoundInAJar(@TempDir Path directory) throws Exception {
    Path jar = directory.resolve("control.jar");
    Path classes =
        Path.of(ConsoleFiles.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(classes)) {
      pack(classes, jar);
    } else {
      Files.copy(classes, jar);
    }
    try (JarLoader loader = new JarLoader(jar.toUri().toURL())) {
      Class<?> files = loader.loadClass(ConsoleFiles.class.getName());
      assertEquals(loader, files.getClassLoader());
      Method get = files.getDeclaredMethod("get");
      Method find = files.getDeclaredMethod("find", String.class);
      get.setAccessible(true);
      find.setAccessible(true);
      Object all = get.invoke(null);
      for (String each : inSources()) {
        assertTrue(((Optional<?>) find.invoke(all, each)).isPresent(), each);
      }
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> all = Files.walk(classes)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(each).toString().replace('\\', '/')));
        out.write(Files.readAllBytes(each));
        out.closeEntry();
      }
    }
  }

  /** Finds classes and resources of the jar there alone, and all other classes as usual. */
  private static final class JarLoader extends URLClassLoader {
    JarLoader(URL jar) {
      super(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try {
        return super.findClass(name);
      } catch (ClassNotFoundException elsewhere) {
        return ConsoleFilesTest.class.getClassLoader().loadClass(name);
      }
    }
  }
}
