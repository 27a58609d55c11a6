package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tests the files in {@code deploy}, as far as that is possible without Docker and Kubernetes. */
class DeployFilesTest {
  private static final Path ARCHIVE = Path.of("src/main/archive");
  private static final Path DEPLOY = ARCHIVE.resolve("deploy");

  /** What systemd 239 knows, of which later ones took nothing away. */
  private static final Set<String> KEYS_OF_SYSTEMD_239 =
      Set.of(
          "After",
          "CacheDirectory",
          "CapabilityBoundingSet",
          "ConfigurationDirectory",
          "Description",
          "Documentation",
          "Environment",
          "ExecStart",
          "Group",
          "LimitNOFILE",
          "NoNewPrivileges",
          "PrivateDevices",
          "PrivateTmp",
          "ProtectControlGroups",
          "ProtectHome",
          "ProtectKernelTunables",
          "ProtectSystem",
          "Restart",
          "RestartSec",
          "RestrictAddressFamilies",
          "StateDirectory",
          "StateDirectoryMode",
          "SuccessExitStatus",
          "TimeoutStopSec",
          "UMask",
          "User",
          "WantedBy",
          "Wants",
          "WorkingDirectory");

  /** Variables of the script and not of the server. */
  private static final Set<String> OF_THE_SCRIPT =
      Set.of("WEIR_JAVA_OPTS", "WEIR_CDS", "WEIR_CONFIG");

  @TempDir private Path folder;

  private static String read(String file) throws IOException {
    return Files.readString(DEPLOY.resolve(file));
  }

  private static List<String> found(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().map(each -> each.group(1)).toList();
  }

  // --- Kubernetes

  /** The objects of the manifest by kind and name. */
  private static Map<String, Map<?, ?>> objects() throws IOException {
    List<Map<?, ?>> all = new ArrayList<>();
    Load yaml = new Load(LoadSettings.builder().build());
    yaml.loadAllFromString(read("kubernetes.yaml")).forEach(each -> all.add((Map<?, ?>) each));
    return all.stream()
        .collect(
            Collectors.toMap(
                each -> each.get("kind") + " " + at(each, "metadata", "name"), each -> each));
  }

  private static Object at(Object from, Object... path) {
    Object here = from;
    for (Object each : path) {
      here = here instanceof List<?> list ? list.get((Integer) each) : ((Map<?, ?>) here).get(each);
    }
    return here;
  }

  private static List<?> list(Object from, Object... path) {
    return (List<?>) at(from, path);
  }

  private static Set<Object> each(List<?> all, String key) {
    return all.stream().map(item -> at(item, key)).collect(Collectors.toSet());
  }

  @Test
  void podsHaveNames() throws IOException {
    Map<String, Map<?, ?>> objects = objects();
    Object set = objects.get("StatefulSet weir");
    Object service = objects.get("Service " + at(set, "spec", "serviceName"));
    assertEquals("None", at(service, "spec", "clusterIP"), "a headless service");
    assertEquals(
        at(set, "spec", "template", "metadata", "labels"), at(service, "spec", "selector"));
  }

  @Test
  void clientsHaveOneAddress() throws IOException {
    assertFalse(((Map<?, ?>) at(objects().get("Service weir"), "spec")).containsKey("clusterIP"));
  }

  @Test
  void servicesLeadToPortsOfThePods() throws IOException {
    Object set = objects().get("StatefulSet weir");
    Object labels = at(set, "spec", "template", "metadata", "labels");
    Object container = at(set, "spec", "template", "spec", "containers", 0);
    Set<Object> open = each(list(container, "ports"), "containerPort");
    for (String name : List.of("Service weir", "Service weir-nodes")) {
      Object service = objects().get(name);
      assertEquals(labels, at(service, "spec", "selector"));
      assertTrue(open.containsAll(each(list(service, "spec", "ports"), "port")), name);
    }
    Object budget = objects().get("PodDisruptionBudget weir");
    assertEquals(labels, at(budget, "spec", "selector", "matchLabels"));
    assertEquals(labels, at(set, "spec", "selector", "matchLabels"));
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      Object port = at(container, probe, "httpGet", "port");
      assertTrue(each(list(container, "ports"), "name").contains(port), probe);
    }
    Set<Object> volumes = each(list(set, "spec", "template", "spec", "volumes"), "name");
    assertEquals(volumes, each(list(container, "volumeMounts"), "name"));
  }

  /** Otherwise Kubernetes sets {@code WEIR_PORT=tcp://…} and the like, after the services. */
  @Test
  void servicesSetNoVariables() throws IOException {
    Object pod = at(objects().get("StatefulSet weir"), "spec", "template", "spec");
    assertEquals(false, at(pod, "enableServiceLinks"));
  }

  // --- Variables

  @Test
  void variablesAreSettings() throws IOException {
    Set<String> known = new TreeSet<>(OF_THE_SCRIPT);
    String settings = Files.readString(ARCHIVE.resolve("conf/weir.properties"));
    for (String name : found("(?m)^#(weir\\.[a-z0-9.-]+)=", settings)) {
      known.add(name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"));
    }
    for (String file : List.of("kubernetes.yaml", "Dockerfile", "weir-server.service")) {
      Set<String> used = new TreeSet<>(found("\\b(WEIR_[A-Z_]+)\\b", read(file)));
      used.remove("WEIR_PORT"); // in a comment on what Kubernetes sets
      used.removeAll(known);
      assertEquals(Set.of(), used, file);
    }
  }

  // --- The image

  @Test
  void theImageChecksTheServerByItsSettings() throws IOException {
    String check = read("Dockerfile").replaceAll("(?s).*\nHEALTHCHECK (.*?)\n\n.*", "$1");
    assertTrue(check.contains("CMD [\"/opt/weir/bin/weir-server\", \"health\"]"), check);
    assertFalse(check.contains("8070"), check);
  }

  // --- systemd

  @Test
  void theUnitNeedsNothingNewerThanSystemd239() throws IOException {
    String unit = read("weir-server.service");
    Set<String> keys = new TreeSet<>(found("(?m)^([A-Za-z]+)=", unit));
    keys.removeAll(KEYS_OF_SYSTEMD_239);
    assertEquals(Set.of(), keys);
    assertEquals(Set.of("C"), Set.copyOf(found("(?m)^[^#\n]*%(.)", unit)), "specifiers");
  }

  @Test
  void theUnitHasAPlaceForTheToken() throws IOException {
    String unit = read("weir-server.service");
    assertTrue(unit.contains("\nConfigurationDirectory=weir\n"), unit);
    assertTrue(
        unit.contains("\nEnvironment=WEIR_SERVER_ADMIN_TOKEN=/etc/weir/admin-token\n"), unit);
    assertTrue(
        unit.indexOf("#   install -d -m 0755 /etc/weir\n")
            < unit.indexOf("> /etc/weir/admin-token"),
        "made before the token");
  }

  @Test
  void systemdFindsNoFaultInTheUnit() throws Exception {
    Path systemd = DebianPrograms.need("systemd-analyze");
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path script = Files.writeString(bin.resolve("weir-server"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path unit = folder.resolve("weir-server.service");
    String text = read("weir-server.service").replace("/opt/weir-server", folder.toString());
    assertEquals("", faults(systemd, Files.writeString(unit, text)));
    assertFalse(
        faults(systemd, Files.writeString(unit, text.replace("UMask=", "Umasks="))).isEmpty());
  }

  /** What it says of the unit: that of others on this machine is none of our business. */
  private static String faults(Path systemd, Path unit) throws Exception {
    Process process =
        new ProcessBuilder(systemd.toString(), "verify", "--man=no", unit.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int unused = process.waitFor();
    return said.lines()
        .filter(line -> line.contains("weir-server"))
        .collect(Collectors.joining("\n"));
  }
}
