package io.weir.compat.bare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.RateLimiter;
import io.weir.annotation.RateLimit;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArtifactsTest {
  private static final int JAVA_17 = 61;

  @ParameterizedTest
  @ValueSource(classes = {RateLimiter.class, RateLimit.class})
  void classFilesAreOfJava17(Class<?> ours) throws Exception {
    Path place = place(ours);
    if (Files.isDirectory(place)) {
      assertAllOfJava17(place);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        assertAllOfJava17(jar.getPath("/"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {RateLimiter.class, RateLimit.class})
  void jarsNameTheirModuleAndCarryTheLicence(Class<?> ours) throws Exception {
    Path place = place(ours);
    assumeTrue(Files.isRegularFile(place), "jars are made after the tests of their own module");
    try (JarFile jar = new JarFile(place.toFile())) {
      String name = jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
      assertEquals(ours.getPackageName(), name);
      assertTrue(jar.getEntry("META-INF/LICENSE") != null);
      assertTrue(jar.getEntry("META-INF/NOTICE") != null);
    }
  }

  private static void assertAllOfJava17(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      List<Path> classes = all.filter(each -> each.toString().endsWith(".class")).toList();
      assertTrue(classes.size() > 5, "only " + classes);
      classes.forEach(each -> assertEquals(JAVA_17, version(each), each.toString()));
    }
  }

  private static int version(Path classFile) {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(classFile))) {
      in.readInt();
      in.readUnsignedShort();
      return in.readUnsignedShort();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
