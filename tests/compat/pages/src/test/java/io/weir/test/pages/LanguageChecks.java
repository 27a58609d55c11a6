package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.RequiredPrograms;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks a client of docs/languages.md, as it stands there, against a real server. A driver asks
 * for one user after the other and prints the answers.
 */
abstract class LanguageChecks {
  /** Longer than any machine takes. */
  private static final String PATIENT = "120";

  private static final MarkdownPage PAGE = MarkdownPage.read("languages.md");
  private static LimitingServer server;

  @TempDir Path folder;
  private PageProgram program;

  @BeforeAll
  static void start() {
    server = new LimitingServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** The heading of the client. */
  abstract String heading();

  /** Returns the language that its blocks are marked with. */
  abstract String language();

  /** The program that runs it. */
  abstract String needed();

  /** Writes client and driver, and builds them where that is needed. */
  abstract void install(PageProgram into, String client, String example) throws Exception;

  /** The command that runs the driver. */
  abstract List<String> driver();

  /** The command that runs the page's example. */
  abstract List<String> example();

  /** Returns the lines that the example prints. */
  abstract List<String> exampleSays();

  /** The most connections that a client without concurrent checks opens. */
  int mostConnections() {
    return 1;
  }

  @BeforeEach
  void install() throws Exception {
    RequiredPrograms.assumePresent(needed());
    program = new PageProgram(folder, server.token()).write("token", server.token());
    List<CodeBlock> blocks = PAGE.blocks(heading(), language());
    assertEquals(2, blocks.size(), "a client and its example");
    String example = blocks.get(1).text();
    assertTrue(example.contains("8070"), example);
    install(program, blocks.get(0).text(), example.replace("8070", "" + server.port()));
  }

  private List<String> ask(int port, String whenAway, String timeout, String... users)
      throws Exception {
    List<String> words = new ArrayList<>(driver());
    words.addAll(List.of("" + port, whenAway, timeout));
    words.addAll(List.of(users));
    return program.run(words);
  }

  /** Asks the real server, with more time than any machine takes. */
  final List<String> askServer(String whenAway, String... words) throws Exception {
    return ask(server.port(), whenAway, PATIENT, words);
  }

  private String user(String name) {
    return language() + "-" + name;
  }

  @Test
  void theExampleRuns() throws Exception {
    List<String> said = program.run(example());
    assertEquals(exampleSays().get(0), said.get(0));
  }

  @Test
  void admitsAndRefusesOverOneConnection() throws Exception {
    try (Relay relay = Relay.to(server.port())) {
      String user = user("alice");
      List<String> said = ask(relay.port(), "closed", PATIENT, user, user, user, user, user("bob"));
      assertEquals(List.of("admitted", "admitted", "admitted"), said.subList(0, 3));
      assertTrue(said.get(3).matches("refused \\d+"), said.get(3));
      assertTrue(Integer.parseInt(said.get(3).substring(8)) > 1, said.get(3));
      assertEquals("admitted", said.get(4));
      assertTrue(relay.connections() <= mostConnections(), () -> relay.connections() + " for five");
    }
  }

  @Test
  void aPathThatCannotBeDecidedIsRefusedThoughOpen() throws Exception {
    String user = user("mallory");
    List<String> said = ask(server.port(), "open", PATIENT, user + "@/api/../api/posts", user);
    assertTrue(said.get(0).startsWith("refused"), said.get(0));
    assertEquals("admitted", said.get(1), "and the server isn't taken for away");
  }

  @Test
  void aWrongTokenIsDecidedByTheChoice() throws Exception {
    program.write("token", "weir_wrong");
    assertEquals(List.of("admitted"), ask(server.port(), "open", PATIENT, user("carol")));
    assertEquals(List.of("refused 1"), ask(server.port(), "closed", PATIENT, user("carol")));
  }

  @Test
  void aServerThatDoesNotAnswerIsDecidedByTheChoice() throws Exception {
    try (Relay silent = Relay.silent()) {
      assertEquals(List.of("admitted"), ask(silent.port(), "open", "0.1", user("dave")));
      assertEquals(List.of("refused 1"), ask(silent.port(), "closed", "0.1", user("dave")));
    }
  }

  @Test
  void aServerThatIsAwayIsDecidedByTheChoice() throws Exception {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    assertEquals(List.of("admitted"), ask(nobody, "open", PATIENT, user("erin")));
    assertEquals(List.of("refused 1"), ask(nobody, "closed", PATIENT, user("erin")));
  }

  /** Checks that a failed server is asked again after a second; the driver moves the clock. */
  final void asksAgainAfterASecond() throws Exception {
    try (Relay silent = Relay.silent()) {
      String user = user("frank");
      ask(silent.port(), "open", "0.1", user, user, user, "+0.9", user);
      assertEquals(1, program.warnings());
      ask(silent.port(), "open", "0.1", user, "+1.1", user);
      assertEquals(2, program.warnings());
    }
  }

  final Path folder() {
    return folder;
  }
}
