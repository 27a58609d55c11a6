package io.weir.internal.server.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has other permissions")
class DataDirectoryTest {
  @TempDir private Path directory;

  @BeforeEach
  void openToAll() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String permissions() throws IOException {
    DataDirectory.open(directory);
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
  }

  @Test
  void anEmptyOneAndOnesOwnAreClosedToOthers() throws IOException {
    assertEquals("rwx------", permissions());
    openToAll();
    Files.createDirectory(directory.resolve("buckets"));
    Files.writeString(directory.resolve("rules.mv.db"), "");
    Files.writeString(directory.resolve("secret"), "");
    assertEquals("rwx------", permissions());
  }

  @Test
  void oneWithOtherFilesIsLeftAsItIs() throws IOException {
    Files.writeString(directory.resolve("of somebody else"), "");
    assertEquals("rwxr-xr-x", permissions());
  }

  @Test
  void theSecretIsItsOwnersAloneFromItsCreationOn() throws IOException {
    String secret = DataDirectory.secret(directory);
    Path file = directory.resolve("secret");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(secret, DataDirectory.secret(directory));
  }
}
