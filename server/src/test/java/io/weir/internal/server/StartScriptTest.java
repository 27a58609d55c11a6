package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the options with which {@code bin/weir-server} starts Java, by a fake Java that prints
 * them, and that writes class data where it is asked for them.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no sh")
class StartScriptTest {
  private static final String FAKE_JAVA =
      """
      #!/bin/sh
      for option in "$@"; do
        case $option in
          -XX:SharedArchiveFile=*) file=${option#*=} ;;
          -Xshare:dump) isDump=yes ;;
        esac
      done
      if [ -n "${isDump-}" ]; then
        : > "$FAKES/dump.$$"
        until [ "$(ls "$FAKES" | grep -c '^dump')" -ge "${AT_ONCE-1}" ]; do sleep 0.02; done
        until [ -z "${AFTER_OTHERS-}" ] || ls "$(dirname "$file")"/*.jsa; do sleep 0.02; done
        [ -z "${REMOVES_ALL-}" ] || rm -rf "$(dirname "$file")"
        [ -z "${FAILS-}" ] || exit 1
        echo data > "$file"
        exit
      fi
      echo "$(umask) ${WEIR_JAVA_OPTS-none} ${WEIR_CDS-none}|$*"
      """;

  private static final String CLASS_DATA = "-XX:SharedArchiveFile=";

  @TempDir private Path folder;

  private Path home;
  private Path jdk;
  private List<String> command = List.of("token", "list");

  @BeforeEach
  void install() throws IOException {
    home = Files.createDirectory(folder.resolve("install"));
    Path bin = Files.createDirectory(home.resolve("bin"));
    Files.copy(Path.of("src/main/archive/bin/weir-server"), bin.resolve("weir-server"));
    Path lib = Files.createDirectory(home.resolve("lib"));
    Files.writeString(lib.resolve("a.jar"), "");
    Files.writeString(lib.resolve("weir-server-1.jar"), "");
    Files.writeString(lib.resolve("weir-server.classlist"), "io/weir/Weir\n");
    Files.createDirectory(folder.resolve("fakes"));
    jdk = jdk("17");
  }

  /** A Java whose {@code release} names a version. */
  private Path jdk(String version) throws IOException {
    Path made = Files.createDirectory(folder.resolve("jdk" + version));
    Files.writeString(made.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Files.createDirectory(made.resolve("lib"));
    Files.writeString(made.resolve("lib/classlist"), "java/lang/Object\n");
    Path java = Files.createDirectory(made.resolve("bin")).resolve("java");
    Files.writeString(java, FAKE_JAVA);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return made;
  }

  private Process start(Map<String, String> environment) throws IOException {
    ProcessBuilder script =
        new ProcessBuilder("sh", home.resolve("bin/weir-server").toString())
            .redirectErrorStream(true);
    script.command().addAll(command);
    script.environment().keySet().removeIf(name -> name.startsWith("WEIR_"));
    script.environment().put("JAVA_HOME", jdk.toString());
    script.environment().put("FAKES", folder.resolve("fakes").toString());
    script.environment().putAll(environment);
    return script.start();
  }

  private static String said(Process process) throws IOException, InterruptedException {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said.strip();
  }

  private String run(Map<String, String> environment) throws IOException, InterruptedException {
    return said(start(environment));
  }

  /** The class data that Java got, which has to exist. */
  private static Path classDataOf(String said) {
    String option =
        Stream.of(said.split(" "))
            .filter(each -> each.startsWith(CLASS_DATA))
            .findFirst()
            .orElseThrow(() -> new AssertionError(said));
    Path file = Path.of(option.substring(CLASS_DATA.length()));
    assertTrue(Files.isRegularFile(file), said);
    return file;
  }

  private List<Path> allClassData() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("cds"))) {
      return files.toList();
    }
  }

  private long dumps() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("fakes"))) {
      return files.count();
    }
  }

  @Test
  void javaGetsItsOptionsNoSettingOfTheScriptAndAUmaskForItsOwnerAlone() throws Exception {
    String said = run(Map.of("WEIR_JAVA_OPTS", "-Xmx300m -Dx=1", "WEIR_CDS", "off"));
    assertTrue(said.startsWith("0077 none none|-XX:+ExitOnOutOfMemoryError "), said);
    assertTrue(said.contains(" -Xmx300m -Dx=1 -cp "), said);
    assertTrue(said.contains(home + "/lib/a.jar:" + home + "/lib/weir-server-1.jar "), said);
    assertTrue(said.endsWith(".Main token list"), said);
    assertFalse(said.contains(CLASS_DATA), said);
    assertFalse(said.contains("java.library.path"), said);
  }

  @Test
  void aCheckOfTheHealthGetsSettingsAndNothingThatOnlyTheServerCanHave() throws Exception {
    command = List.of("health");
    String said =
        run(
            Map.of(
                "WEIR_JAVA_OPTS",
                "-Xms4g -Dweir.server.http.port=80 -Dcom.sun.management.jmxremote.port=9010"
                    + " -agentlib:jdwp=transport=dt_socket,server=y,address=5005 -XX:+UseZGC"));
    assertTrue(
        said.contains(
            " -XX:+UseZGC -Xmx32m -XX:TieredStopAtLevel=1 -Dweir.server.http.port=80 -cp "),
        said);
    assertTrue(said.endsWith(".Main health"), said);
    assertEquals(0, dumps(), "it waits for no class data");

    command = List.of("--config", "some.properties", "health");
    assertTrue(run(Map.of("WEIR_JAVA_OPTS", "-Xms4g")).contains(" -Xmx32m "));
    command = List.of("token", "new", "--name", "health");
    assertTrue(run(Map.of("WEIR_JAVA_OPTS", "-Xms4g", "WEIR_CDS", "off")).contains(" -Xms4g "));
  }

  @Test
  void loadsRocksDbFromTheArchiveOfAPlatform() throws Exception {
    Files.createDirectory(home.resolve("lib/native"));
    String said = run(Map.of("WEIR_CDS", "off"));
    assertTrue(said.contains(" -Djava.library.path=" + home + "/lib/native "), said);
  }

  @Test
  void theFirstStartMakesClassDataThatLaterStartsUse() throws Exception {
    String first = run(Map.of());
    assertTrue(first.startsWith("weir-server: preparing class data "), first);
    String second = run(Map.of());
    assertTrue(second.startsWith("0077 "), second);
    assertEquals(classDataOf(first), classDataOf(second));
    assertEquals(List.of(classDataOf(second)), allClassData());
    assertEquals(
        "rw-r--r--",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(classDataOf(second))));
    assertEquals(1, dumps());
  }

  @Test
  void twoFirstStartsAtOnceBothUseIt() throws Exception {
    Process one = start(Map.of("AT_ONCE", "2"));
    String other = run(Map.of("AT_ONCE", "2"));
    assertEquals(classDataOf(said(one)), classDataOf(other));
    assertEquals(List.of(classDataOf(other)), allClassData());
  }

  @Test
  void startsWithoutClassDataWhereTheyCantBeWritten() throws Exception {
    Files.writeString(home.resolve("cds"), "no folder can have this name");
    String said = run(Map.of());
    assertTrue(said.startsWith("0077 "), said);
    assertFalse(said.contains(CLASS_DATA), said);

    Path elsewhere = folder.resolve("cache");
    assertEquals(elsewhere, classDataOf(run(Map.of("WEIR_CDS", elsewhere.toString()))).getParent());
  }

  @Test
  void triesOnceWhereJavaCantMakeThem() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertFalse(run(Map.of("FAILS", "yes")).contains(CLASS_DATA));
    }
    assertEquals(1, dumps());
  }

  @Test
  void aFailureLeavesWhatAnotherStartHasMadeMeanwhile() throws Exception {
    Process failing = start(Map.of("AT_ONCE", "2", "FAILS", "yes", "AFTER_OTHERS", "yes"));
    Path made = classDataOf(run(Map.of("AT_ONCE", "2")));
    assertEquals(made, classDataOf(said(failing)));
    assertEquals("data\n", Files.readString(made));
  }

  @Test
  void startsWhereNotEvenAFailureCanBeNoted() throws Exception {
    String said = run(Map.of("FAILS", "yes", "REMOVES_ALL", "yes"));
    assertTrue(said.contains(".Main token list"), said);
    assertFalse(said.contains(CLASS_DATA), said);
  }

  @Test
  void removesWhatKilledStartsHaveLeft() throws Exception {
    Path made = classDataOf(run(Map.of()));
    Files.delete(made);
    Path dead = Files.writeString(Path.of(made + ".999999999"), "half of it");
    Path list = Files.writeString(Path.of(dead + ".list"), "");
    Path living = Files.writeString(Path.of(made + "." + ProcessHandle.current().pid()), "");
    assertEquals(made, classDataOf(run(Map.of())));
    assertFalse(Files.exists(dead) || Files.exists(list));
    assertTrue(Files.exists(living), "another start may be writing it");
  }

  @Test
  void eachJavaHasItsOwn() throws Exception {
    Path first = classDataOf(run(Map.of()));
    Path other = classDataOf(run(Map.of("JAVA_HOME", jdk("25").toString())));
    Path heap = classDataOf(run(Map.of("WEIR_JAVA_OPTS", "-XX:+UseZGC")));
    assertEquals(3, Stream.of(first, other, heap).distinct().count());
    assertEquals(3, allClassData().size());

    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Path updated = classDataOf(run(Map.of()));
    assertNotEquals(first, updated);
    assertFalse(Files.exists(first), "of a Java that is gone");
    assertTrue(Files.exists(other));

    Files.writeString(home.resolve("lib/weir-server-1.jar"), "unpacked again");
    assertNotEquals(updated, classDataOf(run(Map.of())));
  }
}
