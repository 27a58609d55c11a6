package io.weir.compat.release;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes a bundle of one artifact that breaks no rule, for a test to break one. */
final class BundleOfOne {
  static final String FOLDER = "io/weir/weir-shop/1.0/";
  static final String POM = FOLDER + "weir-shop-1.0.pom";
  static final String JAR = FOLDER + "weir-shop-1.0.jar";

  private static final String TEXT =
      """
      <project><modelVersion>4.0.0</modelVersion>
      <groupId>io.weir</groupId><artifactId>weir-shop</artifactId><version>1.0</version>
      <name>Shop</name><description>Sells bicycles</description><url>https://example.org</url>
      <licenses><license><name>Apache-2.0</name><url>https://example.org/licence</url></license></licenses>
      <developers><developer><name>Alice</name></developer></developers>
      <scm><connection>scm:git:x</connection><developerConnection>scm:git:x</developerConnection><url>x</url></scm>
      <dependencies><dependency><groupId>org.example</groupId><artifactId>wheels</artifactId>
      <version>2</version></dependency></dependencies>
      </project>
      """;

  private final SortedMap<String, byte[]> files = new TreeMap<>();

  BundleOfOne() {
    pom("", "");
    for (String end : List.of("-sources.jar", "-javadoc.jar", "-cyclonedx.json")) {
      add(FOLDER + "weir-shop-1.0" + end, end);
    }
    jar("META-INF/LICENSE", "META-INF/NOTICE");
  }

  /** Adds a file with its signature and checksums. */
  BundleOfOne add(String path, String content) {
    return add(path, content.getBytes(StandardCharsets.UTF_8));
  }

  /** Replaces the jar by one with these empty files. */
  BundleOfOne jar(String... names) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String each : names) {
        zip.putNextEntry(new ZipEntry(each));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return add(JAR, bytes.toByteArray());
  }

  private BundleOfOne add(String path, byte[] bytes) {
    files.put(path, bytes);
    put(path + ".asc", sign(bytes));
    put(path + ".md5", CentralRules.hash("MD5", bytes));
    put(path + ".sha1", CentralRules.hash("SHA-1", bytes));
    return this;
  }

  /** Adds a file alone. */
  BundleOfOne put(String path, String content) {
    files.put(path, content.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  BundleOfOne remove(String path) {
    files.remove(path);
    return this;
  }

  /** Replaces a piece of the POM. */
  BundleOfOne pom(String piece, String replacement) {
    return add(POM, piece.isEmpty() ? TEXT : TEXT.replace(piece, replacement));
  }

  List<String> violations() {
    return new CentralRules(
            new Bundle(files),
            (content, signature) ->
                Arrays.equals(signature, sign(content).getBytes(StandardCharsets.UTF_8)))
        .violations();
  }

  private static String sign(byte[] content) {
    return "signed " + CentralRules.hash("SHA-256", content);
  }
}
