package io.weir.compat.release;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Checks what a jar carries and what its SBOM lists. These rules are ours, not Central's. */
final class ContentRules {
  /** A file of another project that a module brings in its jar. */
  private static final Pattern VENDORED = Pattern.compile(".*/vendor/([^/]+)/.+");

  private ContentRules() {}

  static void check(BundleFile pom, Bundle bundle, Consumer<String> report) {
    String jar = pom.sibling(".jar");
    if (!bundle.has(jar)) {
      return;
    }
    Set<String> entries = entries(bundle.content(jar));
    for (String each : new String[] {"META-INF/LICENSE", "META-INF/NOTICE"}) {
      if (!entries.contains(each)) {
        report.accept(jar + ": no " + each);
      }
    }
    checkVendored(jar, entries, sbom(pom, bundle), report);
    checkProvided(pom, bundle, report);
  }

  private static void checkVendored(
      String jar, Set<String> entries, String sbom, Consumer<String> report) {
    for (String entry : entries) {
      Matcher vendored = VENDORED.matcher(entry);
      if (vendored.matches()) {
        String folder = entry.substring(0, vendored.end(1));
        if (!entries.contains(folder + "/LICENSE")) {
          report.accept(jar + ": no licence in " + folder);
        }
        if (!sbom.contains("\"pkg:npm/" + vendored.group(1) + "@")) {
          report.accept(jar + ": " + entry + " isn't in the SBOM");
        }
      }
    }
  }

  /** An optional part isn't a component: users choose it themselves. */
  private static void checkProvided(BundleFile pom, Bundle bundle, Consumer<String> report) {
    Pom model = Pom.parse(bundle.content(pom.path()));
    String provided = "dependencies/dependency[scope='provided']";
    for (String artifact : model.texts(provided + "/artifactId")) {
      String group = model.text(provided + "[artifactId='" + artifact + "']/groupId");
      if (sbom(pom, bundle).contains("\"pkg:maven/" + group + "/" + artifact + "@")) {
        report.accept(pom.sibling("-cyclonedx.json") + ": lists the optional " + artifact);
      }
    }
  }

  private static String sbom(BundleFile pom, Bundle bundle) {
    String path = pom.sibling("-cyclonedx.json");
    return bundle.has(path) ? new String(bundle.content(path), StandardCharsets.UTF_8) : "";
  }

  private static Set<String> entries(byte[] jar) {
    Set<String> names = new TreeSet<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(jar))) {
      for (ZipEntry each = zip.getNextEntry(); each != null; each = zip.getNextEntry()) {
        if (!each.isDirectory()) {
          names.add(each.getName());
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return names;
  }
}
