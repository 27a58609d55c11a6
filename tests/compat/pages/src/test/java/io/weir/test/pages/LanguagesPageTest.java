package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.RequiredPrograms;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the curl of docs/languages.md, and finds blocks that nothing runs. */
class LanguagesPageTest {
  private static final MarkdownPage PAGE = MarkdownPage.read("languages.md");

  @TempDir Path folder;

  @Test
  void everyBlockIsRunByItsLanguagesTest() {
    List<String> run =
        List.of("sh", "python", "python", "js", "js", "go", "go"); // here, and by LanguageChecks
    assertEquals(run, PAGE.blocks().stream().map(CodeBlock::language).toList());
  }

  private List<String> curl(int port, String maxTime) {
    String block = PAGE.blocks("Other languages", "sh").get(0).text();
    assertTrue(block.contains("8070") && block.contains("--max-time 0.5"), block);
    return List.of(
        "bash", "-c", block.replace("8070", "" + port).replace("--max-time 0.5", maxTime));
  }

  @Test
  void curlSaysWhetherARequestIsAllowed() throws Exception {
    RequiredPrograms.assumePresent("curl");
    try (LimitingServer server = new LimitingServer()) {
      PageProgram program = new PageProgram(folder, server.token());
      for (int i = 0; i < LimitingServer.LIMIT; i++) {
        List<String> said = program.run(curl(server.port(), "--max-time 120"));
        assertTrue(said.get(0).contains("\"allowed\":true"), said.get(0));
        assertTrue(said.get(0).endsWith("200"), said.get(0));
      }
      String refused =
          program.run(curl(server.port(), "--max-time 120 -i")).stream()
              .collect(Collectors.joining("\n"));
      assertTrue(refused.matches("(?si).*\nRetry-After: [1-9].*429"), refused);
    }
  }

  @Test
  void curlEndsWithAStatusWhereTheServerIsSlowOrAway() throws Exception {
    RequiredPrograms.assumePresent("curl");
    PageProgram program = new PageProgram(folder, "weir_none");
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    assertEquals(7, program.status(curl(nobody, "--max-time 120")));
    try (Relay silent = Relay.silent()) {
      assertEquals(28, program.status(curl(silent.port(), "--max-time 0.5")));
    }
  }
}
