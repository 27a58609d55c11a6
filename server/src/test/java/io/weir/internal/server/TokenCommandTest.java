package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.server.command.ServerCommand;
import io.weir.seeds.OneDayIn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which roles {@code weir-server token new} gives. */
@OneDayIn(2)
class TokenCommandTest {
  @TempDir private Path directory;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int create(String database, String role) throws IOException {
    Path config = directory.resolve("weir.properties");
    Files.writeString(
        config, "weir.rules=" + database + "\nweir.data=" + directory.resolve("data") + "\n");
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      return ServerCommand.run(
          out,
          out,
          "--config",
          config.toString(),
          "token",
          "new",
          "--role",
          role,
          "--name",
          "eyes");
    }
  }

  @Test
  void aViewersTokenIsOne() throws IOException {
    String database = RunningServer.memory();
    try (RunningServer server = new RunningServer(Map.of("weir.rules", database))) {
      assertEquals(0, create(database, "weir-view"), this::said);
      String secret = said().replaceAll("(?s).*token +(\\S+).*", "$1");
      assertEquals(
          "[\"weir-view\"]",
          RunningServer.json(server.get("/v1/session", secret)).get("roles").toString());
    }
  }

  @Test
  void anUnknownRoleIsRefusedWithAllThatThereAre() throws IOException {
    assertNotEquals(0, create(RunningServer.memory(), "weir-nothing"));
    assertTrue(
        said()
            .contains(
                "--role must be weir-admin, weir-view, weir-check, weir-metrics or user, not"
                    + " 'weir-nothing'"),
        this::said);
  }

  @Test
  void aUsersTokenNeedsTheUser() throws IOException {
    assertNotEquals(0, create(RunningServer.memory(), "user"));
    assertTrue(said().contains("--role user needs --user"), this::said);
    assertFalse(said().contains("token  "), this::said);
  }

  private String said() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
