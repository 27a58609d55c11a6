package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that jars whose licence isn't known, or doesn't permit the archive, are found. */
class ThirdPartiesTest {
  @TempDir private Path home;

  private Path licenses;

  @BeforeEach
  void archive() throws IOException {
    licenses = Files.createDirectory(home.resolve("licenses"));
    Files.writeString(
        licenses.resolve("THIRD-PARTY.txt"),
        """
             (Apache-2.0) Wheels (of bicycles) (org.example:wheels:1.0 - https://example.org)
             (GPL-2.0-only) (MIT) Bells (org.example:bells:1.0-jre - https://example.org)
             (GPL-2.0-only) Locks (org.example:locks:1.0 - https://example.org)
        """);
    Files.writeString(
        licenses.resolve("sbom.cdx.json"),
        """
        "pkg:maven/org.example/wheels@1.0?type=jar"
        "pkg:maven/org.example/bells@1.0-jre?type=jar"
        "pkg:maven/org.example/locks@1.0?type=jar"
        """);
    Files.writeString(licenses.resolve("Apache-2.0.txt"), "text");
    Files.writeString(licenses.resolve("bells.txt"), "text");
  }

  private String problem(String jar) throws IOException {
    return String.join("\n", new ThirdParties(home).problems(List.of(jar)));
  }

  @Test
  void takesALicenceWithItsText() throws IOException {
    assertEquals("", problem("wheels-1.0"));
    assertEquals("", problem("bells-1.0-jre"));
  }

  @Test
  void missesTexts() throws IOException {
    Files.delete(licenses.resolve("Apache-2.0.txt"));
    assertEquals(
        "wheels-1.0: [Apache-2.0] don't permit it, or their texts are missing",
        problem("wheels-1.0"));
    Files.delete(licenses.resolve("bells.txt"));
    assertEquals(
        "bells-1.0-jre: [GPL-2.0-only, MIT] don't permit it, or their texts are missing",
        problem("bells-1.0-jre"));
    Path own = Files.createDirectories(licenses.resolve("of-jars/bells-1.0-jre-jar/META-INF"));
    Files.writeString(own.resolve("LICENSE.txt"), "text");
    assertEquals("", problem("bells-1.0-jre"), "the jar brings it");
  }

  @Test
  void refusesALicenceThatIsIncompatible() throws IOException {
    assertEquals(
        "locks-1.0: [GPL-2.0-only] don't permit it, or their texts are missing",
        problem("locks-1.0"));
  }

  @Test
  void missesAJarThatIsNotListed() throws IOException {
    assertEquals(
        "saddles-1.0: no licence in THIRD-PARTY.txt\nsaddles-1.0: not in the SBOM",
        problem("saddles-1.0"));
  }
}
