package io.weir.compat.release;

import static io.weir.compat.release.BundleOfOne.FOLDER;
import static io.weir.compat.release.BundleOfOne.JAR;
import static io.weir.compat.release.BundleOfOne.POM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** States each rule of Maven Central that can be checked before the upload. */
class CentralRulesTest {
  @Test
  void takesABundleThatKeepsAllRules() {
    assertEquals(List.of(), new BundleOfOne().violations());
  }

  @Test
  void refusesAnEmptyBundle() {
    assertEquals(
        List.of("The bundle has no POM"),
        new CentralRules(new Bundle(new TreeMap<>()), (content, signature) -> true).violations());
  }

  static List<Arguments> files() {
    return List.of(
        broken(bundle -> bundle.remove(JAR + ".md5"), JAR + ": no .md5"),
        broken(bundle -> bundle.remove(JAR + ".sha1"), JAR + ": no .sha1"),
        broken(bundle -> bundle.remove(POM + ".asc"), POM + ": no .asc"),
        broken(bundle -> bundle.put(JAR + ".md5", "0"), JAR + ".md5: not that of the file"),
        broken(bundle -> bundle.put(JAR + ".sha1", "0"), JAR + ".sha1: not that of the file"),
        broken(
            bundle -> bundle.put(JAR + ".asc", "signed by nobody"),
            JAR + ".asc: not a valid signature of the file"),
        broken(
            bundle -> bundle.add("weir-shop-1.0.jar", ""),
            "weir-shop-1.0.jar: not where a Maven repository has it"),
        broken(
            bundle -> bundle.add(FOLDER + "shop.jar", ""),
            FOLDER + "shop.jar: not where a Maven repository has it"),
        broken(
            bundle -> bundle.add("io/weir/weir-other/1.0/weir-other-1.0.jar", ""),
            "io/weir/weir-other/1.0/weir-other-1.0.jar: no POM beside it"),
        broken(
            bundle -> bundle.put("io/weir/weir-shop/maven-metadata.xml.md5", ""),
            "io/weir/weir-shop/maven-metadata.xml.md5: the portal writes maven-metadata itself"));
  }

  @ParameterizedTest
  @MethodSource
  void files(UnaryOperator<BundleOfOne> change, String violation) {
    List<String> found = change.apply(new BundleOfOne()).violations();
    assertTrue(found.contains(violation), found::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json"})
  void whatStandsBesideAPom(String end) {
    assertEquals(
        List.of(POM + ": no " + end + " beside it"),
        new BundleOfOne()
            .remove(FOLDER + "weir-shop-1.0" + end).violations().stream()
                .filter(violation -> violation.startsWith(POM))
                .toList());
  }

  @ParameterizedTest
  @CsvSource({
    "modelVersion, <modelVersion>4.0.0</modelVersion>",
    "name, <name>Shop</name>",
    "description, <description>Sells bicycles</description>",
    "url, <url>https://example.org</url>",
    "licenses/license/name, <name>Apache-2.0</name>",
    "licenses/license/url, <url>https://example.org/licence</url>",
    "developers/developer/name, <name>Alice</name>",
    "scm/connection, <connection>scm:git:x</connection>",
    "scm/developerConnection, <developerConnection>scm:git:x</developerConnection>",
    "scm/url, <url>x</url>"
  })
  void whatAPomSays(String element, String text) {
    assertEquals(List.of(POM + ": no " + element), new BundleOfOne().pom(text, "").violations());
  }

  static List<Arguments> contents() {
    String sbom = FOLDER + "weir-shop-1.0-cyclonedx.json";
    String[] whole = {
      "META-INF/LICENSE", "META-INF/NOTICE", "io/vendor/x/x.js", "io/vendor/x/LICENSE"
    };
    String[] withoutLicence = {"META-INF/LICENSE", "META-INF/NOTICE", "io/vendor/x/x.js"};
    return List.of(
        broken(bundle -> bundle.jar("META-INF/LICENSE"), JAR + ": no META-INF/NOTICE"),
        broken(bundle -> bundle.jar("META-INF/NOTICE"), JAR + ": no META-INF/LICENSE"),
        broken(bundle -> bundle.jar(whole), JAR + ": io/vendor/x/x.js isn't in the SBOM"),
        broken(
            bundle -> bundle.jar(withoutLicence).add(sbom, "\"pkg:npm/x@1.0\""),
            JAR + ": no licence in io/vendor/x"),
        broken(
            bundle ->
                bundle
                    .pom("<version>2<", "<scope>provided</scope><version>2<")
                    .add(sbom, "\"pkg:maven/org.example/wheels@2\""),
            sbom + ": lists the optional wheels"));
  }

  @ParameterizedTest
  @MethodSource
  void contents(UnaryOperator<BundleOfOne> change, String violation) {
    List<String> found = change.apply(new BundleOfOne()).violations();
    assertTrue(found.contains(violation), found::toString);
  }

  @Test
  void takesAScriptThatTheSbomNames() {
    assertEquals(
        List.of(),
        new BundleOfOne()
            .jar("META-INF/LICENSE", "META-INF/NOTICE", "io/vendor/x/x.js", "io/vendor/x/LICENSE")
            .add(FOLDER + "weir-shop-1.0-cyclonedx.json", "\"pkg:npm/x@1.0\"")
            .violations());
  }

  static List<Arguments> poms() {
    return List.of(
        broken(
            bundle -> bundle.pom("<version>1.0<", "<version>1.1<"),
            POM + ": the POM is that of io.weir:weir-shop:1.1"),
        broken(
            bundle -> bundle.pom("<name>Shop", "<parent><version>1</version></parent><name>Shop"),
            POM + ": a parent, which isn't published"),
        broken(bundle -> bundle.pom("<version>2<", "<version>${x}<"), POM + ": an unresolved ${…}"),
        broken(
            bundle -> bundle.pom("<version>2<", "<version>2-SNAPSHOT<"),
            POM + ": depends on a snapshot, 2-SNAPSHOT"),
        broken(
            bundle -> bundle.pom("<version>2</version>", ""),
            POM + ": 1 of dependencies/dependency without a version"),
        broken(
            bundle -> bundle.pom("<version>2<", "<scope>system</scope><version>2<"),
            POM + ": a dependency of scope system"));
  }

  @ParameterizedTest
  @MethodSource
  void poms(UnaryOperator<BundleOfOne> change, String violation) {
    assertEquals(List.of(violation), change.apply(new BundleOfOne()).violations());
  }

  @Test
  void refusesASnapshot() {
    String path = "io/weir/weir-shop/1.1-SNAPSHOT/weir-shop-1.1-SNAPSHOT.pom";
    List<String> found = new BundleOfOne().add(path, "<project/>").violations();
    assertTrue(found.contains(path + ": a snapshot; only releases are accepted"), found::toString);
  }

  private static Arguments broken(UnaryOperator<BundleOfOne> change, String violation) {
    return Arguments.of(change, violation);
  }
}
