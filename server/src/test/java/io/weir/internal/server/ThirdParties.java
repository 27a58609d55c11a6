package io.weir.internal.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds jars of an unpacked archive whose licence or its text is missing, or doesn't permit it. */
final class ThirdParties {
  /** The line of a jar in {@code THIRD-PARTY.txt}: licences, name, coordinates and address. */
  private static final Pattern LINE =
      Pattern.compile(
          " +\\((?<licences>[^()]+(\\) \\([^()]+)*)\\) .*\\([^:() ]+:(?<jar>[^:]+:[^:]+) - .*");

  /** Licences that allow an archive under Apache-2.0, and whose text is the same for all jars. */
  private static final Set<String> COMMON = Set.of("Apache-2.0", "EPL-2.0", "MPL-2.0");

  /** The same, but their texts name who holds the copyright. */
  private static final Set<String> OWN = Set.of("MIT", "BSD-2-Clause", "BSD-3-Clause");

  /** The same, without any condition. */
  private static final Set<String> FREE = Set.of("Public Domain", "CC0-1.0");

  private final Path licenses;
  private final Map<String, List<String>> byJar = new HashMap<>();
  private final String sbom;

  ThirdParties(Path home) throws IOException {
    this.licenses = home.resolve("licenses");
    this.sbom = Files.readString(licenses.resolve("sbom.cdx.json"));
    for (String line : Files.readAllLines(licenses.resolve("THIRD-PARTY.txt"))) {
      Matcher parts = LINE.matcher(line);
      if (parts.matches()) {
        byJar.put(
            parts.group("jar").replace(':', '-'),
            Arrays.asList(parts.group("licences").split("\\) \\(")));
      }
    }
  }

  /** Returns what is wrong with jars; a jar is named without its end. */
  List<String> problems(List<String> jars) throws IOException {
    List<String> found = new ArrayList<>();
    for (String jar : jars) {
      List<String> licences = byJar.getOrDefault(jar, List.of());
      if (licences.isEmpty()) {
        found.add(jar + ": no licence in THIRD-PARTY.txt");
      } else if (!isCovered(jar, licences)) {
        found.add(jar + ": " + licences + " don't permit it, or their texts are missing");
      }
      if (!sbom.contains(purlEnd(jar))) {
        found.add(jar + ": not in the SBOM");
      }
    }
    return found;
  }

  private static String purlEnd(String jar) {
    return "/" + jar.replaceFirst("-(?=\\d)", "@") + "?type=jar";
  }

  private boolean isCovered(String jar, List<String> licences) throws IOException {
    if (licences.stream().anyMatch(FREE::contains)) {
      return true;
    }
    for (String licence : licences) {
      if (COMMON.contains(licence) && Files.exists(licenses.resolve(licence + ".txt"))) {
        return true;
      }
      if (OWN.contains(licence) && (hasOwnText(jar) || bringsText(jar))) {
        return true;
      }
    }
    return false;
  }

  private boolean hasOwnText(String jar) {
    return Files.exists(licenses.resolve(jar.replaceFirst("-\\d.*", "") + ".txt"));
  }

  private boolean bringsText(String jar) throws IOException {
    Path folder = licenses.resolve("of-jars").resolve(jar + "-jar");
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.anyMatch(each -> each.getFileName().toString().contains("LICENSE"));
    }
  }
}
