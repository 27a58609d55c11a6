package io.weir.test.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that each folder of sources belongs to one module, the one that it is in: IDEs refuse to
 * open others. Tests that two modules run stand in {@code src/shared} of one of them.
 *
 * <p>How this works: it reads what each POM adds to the folders that Maven knows by itself. What
 * {@code copied-tests} copies is compiled from the module's own {@code target}.
 */
class SourceFoldersTest {
  private static final Path ROOT = Path.of("../..");
  private static final Pattern FOLDER =
      Pattern.compile("<(source|sourceDirectory|testSourceDirectory)>([^<]+)</");

  @Test
  void eachFolderOfSourcesBelongsToTheModuleThatItIsIn() throws IOException {
    Set<String> elsewhere = new TreeSet<>();
    List<Path> poms = poms();
    assertTrue(poms.size() > 50, poms::toString);
    for (Path pom : poms) {
      Matcher folder = FOLDER.matcher(Files.readString(pom));
      while (folder.find()) {
        if (folder.group(2).contains("..")) {
          elsewhere.add(ROOT.relativize(pom) + " compiles " + folder.group(2));
        }
      }
    }
    assertEquals(Set.of(), elsewhere);
  }

  private static List<Path> poms() throws IOException {
    try (Stream<Path> folders = Files.walk(ROOT, 4)) {
      return folders.filter(path -> path.endsWith("pom.xml") && isOurs(path)).sorted().toList();
    } catch (UncheckedIOException vanished) {
      throw vanished.getCause();
    }
  }

  private static boolean isOurs(Path pom) {
    String path = ROOT.relativize(pom).toString();
    return !path.contains("target") && !path.contains("node_modules");
  }
}
