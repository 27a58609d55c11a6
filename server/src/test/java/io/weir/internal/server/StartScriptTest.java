package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the options with which {@code bin/weir-server} starts Java, by a fake Java that prints
 * them.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no sh")
class StartScriptTest {
  @TempDir private Path home;

  @Test
  void javaGetsItsOptionsNoSettingOfTheScriptAndAUmaskForItsOwnerAlone() throws Exception {
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(
        java,
        "#!/bin/sh\necho \"$(umask) ${WEIR_JAVA_OPTS-none} $2 $3 $(echo \"$*\" | tail -c 11)\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertEquals("0077 none -Xmx300m -Dx=1 token list", said());
  }

  private String said() throws IOException, InterruptedException {
    ProcessBuilder script =
        new ProcessBuilder("sh", "src/main/archive/bin/weir-server", "token", "list")
            .redirectErrorStream(true);
    script.environment().put("JAVA_HOME", home.toString());
    script.environment().put("WEIR_JAVA_OPTS", "-Xmx300m -Dx=1");
    Process process = script.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said.strip();
  }
}
