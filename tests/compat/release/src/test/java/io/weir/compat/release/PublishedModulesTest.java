package io.weir.compat.release;

import static io.weir.compat.release.PublishedModules.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that all lists of published modules agree, and that their POMs stand alone. */
class PublishedModulesTest {
  private static final Pattern UNPUBLISHED =
      Pattern.compile("<weir\\.unpublished>false</weir\\.unpublished>");
  private static final Pattern SENTENCE = Pattern.compile("(?s)Published are ([^.]+)\\.");
  private static final Pattern NAME = Pattern.compile("`(weir-[a-z0-9-]+)`");

  private static Set<String> published() throws IOException {
    return PublishedModules.folders().keySet();
  }

  @Test
  void onlyPublishedBuildsAllThatIsPublished() throws IOException {
    Set<Path> folders = new TreeSet<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            String name = folder.getFileName().toString();
            boolean isModule = !name.equals("target") && !name.equals("src");
            if (!folder.equals(ROOT) && (!isModule || name.startsWith("."))) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Path pom = folder.resolve("pom.xml");
            if (Files.exists(pom) && UNPUBLISHED.matcher(Files.readString(pom)).find()) {
              folders.add(folder);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertEquals(folders, new TreeSet<>(PublishedModules.folders().values()));
  }

  @Test
  void contributingListsAllThatIsPublished() throws IOException {
    Matcher sentence = SENTENCE.matcher(Files.readString(ROOT.resolve("release/bundle/README.md")));
    assertTrue(sentence.find(), "release/bundle/README.md: no sentence \"Published are …\"");
    Set<String> listed = new TreeSet<>();
    NAME.matcher(sentence.group(1)).results().forEach(name -> listed.add(name.group(1)));
    assertEquals(published(), listed);
  }

  @Test
  void theBomListsAllThatIsPublished() throws IOException {
    Set<String> listed =
        listed("release/bom/pom.xml", "dependencyManagement/dependencies/dependency/artifactId");
    listed.add("weir-bom");
    assertEquals(published(), listed);
  }

  @Test
  void theBundleWaitsForAllThatIsPublished() throws IOException {
    assertEquals(
        published(), listed("release/bundle/pom.xml", "dependencies/dependency/artifactId"));
  }

  private static Set<String> listed(String pom, String path) throws IOException {
    return new TreeSet<>(PublishedModules.read(ROOT.resolve(pom)).texts(path));
  }

  /** Also without {@code -Drevision}, as the flattened POMs of this build are. */
  @Test
  void eachPomStandsAlone() throws IOException {
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, Path> module : PublishedModules.folders().entrySet()) {
      byte[] pom = Files.readAllBytes(PublishedModules.flattened(module.getValue()));
      String version = Pom.parse(pom).text("version");
      String name = module.getKey();
      String path = "io/weir/" + name + "/" + version + "/" + name + "-" + version + ".pom";
      PomRules.check(new BundleFile(path), pom, found::add);
    }
    found.removeIf(violation -> violation.contains(": depends on a snapshot"));
    assertEquals("", String.join("\n", found));
  }

  /** Its SBOM gets it from there, since it knows of no scripts. */
  @Test
  void controlNamesTheVersionOfItsScript() throws IOException {
    Path control = ROOT.resolve("control");
    String script =
        Files.readString(
            control.resolve("src/main/resources/io/weir/console/vendor/uplot/uPlot.iife.min.js"));
    String version =
        PublishedModules.read(control.resolve("pom.xml")).text("properties/uplot.version");
    assertTrue(script.startsWith("/*! https://github.com/leeoniya/uPlot (v" + version + ") */"));
  }

  @Test
  void nothingPublishedDependsOnWhatIsNot() throws IOException {
    Set<String> published = published();
    for (Path folder : PublishedModules.folders().values()) {
      Pom pom = PublishedModules.read(PublishedModules.flattened(folder));
      List<String> ours =
          pom.texts("dependencies/dependency[groupId='io.weir' and not(scope='test')]/artifactId");
      assertTrue(published.containsAll(ours), () -> folder + ": " + ours);
    }
  }
}
