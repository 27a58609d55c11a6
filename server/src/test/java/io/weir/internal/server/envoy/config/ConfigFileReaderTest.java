package io.weir.internal.server.envoy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.test.log.LogLines;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests folders that this process may not read; root may read all. */
class ConfigFileReaderTest {
  @TempDir Path folder;

  private ConfigFileReader reader(String closed) {
    return new ConfigFileReader(List.of(folder)) {
      @Override
      List<Path> members(Path each) throws IOException {
        if (each.endsWith(closed)) {
          throw new AccessDeniedException(each.toString());
        }
        return super.members(each);
      }
    };
  }

  @Test
  void anInnerFolderThatMayNotBeReadIsWarnedOfOnceAndKeepsNothingElseFromBeingRead()
      throws IOException {
    Files.createDirectory(folder.resolve("lost+found"));
    Path file = Files.writeString(folder.resolve("a.yaml"), "domain: shop");
    ConfigFileReader reader = reader("lost+found");
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 2; i++) {
        assertEquals(Set.of(file), reader.read().keySet());
      }
      assertEquals(1, log.containing("lost+found can't be read").size());
    }
  }

  @Test
  void theFolderItselfMustBeReadable() {
    ConfigFileReader reader = reader(folder.getFileName().toString());
    assertThrows(AccessDeniedException.class, reader::read);
  }
}
