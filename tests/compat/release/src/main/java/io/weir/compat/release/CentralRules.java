package io.weir.compat.release;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Finds what Maven Central's portal refuses in a bundle, as far as that is known before it. */
final class CentralRules {
  private static final Map<String, String> CHECKSUMS = Map.of(".md5", "MD5", ".sha1", "SHA-1");

  /** The files beside each jar. The last isn't Central's rule but ours. */
  private static final List<String> BESIDE_A_JAR =
      List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");

  private final Bundle bundle;
  private final SignatureVerifier verifier;

  CentralRules(Bundle bundle, SignatureVerifier verifier) {
    this.bundle = bundle;
    this.verifier = verifier;
  }

  /** Returns what is wrong, by file; empty if the portal can take the bundle. */
  List<String> violations() {
    List<String> found = new ArrayList<>();
    if (bundle.poms().isEmpty()) {
      found.add("The bundle has no POM");
    }
    for (BundleFile file : bundle.files()) {
      checkPlace(file, found::add);
    }
    for (BundleFile file : bundle.mainFiles()) {
      checkChecksums(file, found::add);
      checkSignature(file, found::add);
      checkPom(file, found::add);
    }
    for (BundleFile pom : bundle.poms()) {
      PomRules.check(pom, bundle.content(pom.path()), found::add);
      checkJars(pom, found::add);
      ContentRules.check(pom, bundle, found::add);
    }
    return found;
  }

  private static void checkPlace(BundleFile file, Consumer<String> report) {
    if (file.name().startsWith("maven-metadata")) {
      report.accept(file.path() + ": the portal writes maven-metadata itself");
    } else if (!file.followsLayout()) {
      report.accept(file.path() + ": not where a Maven repository has it");
    }
    if (file.version().endsWith("-SNAPSHOT")) {
      report.accept(file.path() + ": a snapshot; only releases are accepted");
    }
  }

  private void checkPom(BundleFile file, Consumer<String> report) {
    if (file.followsLayout() && !bundle.has(file.sibling(".pom"))) {
      report.accept(file.path() + ": no POM beside it");
    }
  }

  private void checkChecksums(BundleFile file, Consumer<String> report) {
    CHECKSUMS.forEach(
        (end, algorithm) -> {
          String path = file.path() + end;
          if (!bundle.has(path)) {
            report.accept(file.path() + ": no " + end);
            return;
          }
          String written = new String(bundle.content(path), StandardCharsets.US_ASCII).strip();
          if (!written.equals(hash(algorithm, bundle.content(file.path())))) {
            report.accept(path + ": not that of the file");
          }
        });
  }

  private void checkSignature(BundleFile file, Consumer<String> report) {
    String path = file.path() + ".asc";
    if (!bundle.has(path)) {
      report.accept(file.path() + ": no .asc");
    } else if (!verifier.isValid(bundle.content(file.path()), bundle.content(path))) {
      report.accept(path + ": not a valid signature of the file");
    }
  }

  private void checkJars(BundleFile pom, Consumer<String> report) {
    if (Pom.parse(bundle.content(pom.path())).packaging().equals("pom")) {
      return;
    }
    for (String end : BESIDE_A_JAR) {
      if (!bundle.has(pom.sibling(end))) {
        report.accept(pom.path() + ": no " + end + " beside it");
      }
    }
  }

  static String hash(String algorithm, byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each JDK has " + algorithm, e);
    }
  }
}
