package io.weir.test.pages;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the JavaScript of docs/languages.md. */
class NodeClientTest extends LanguageChecks {
  @Override
  String heading() {
    return "Node";
  }

  @Override
  String language() {
    return "js";
  }

  @Override
  String needed() {
    return "node";
  }

  @Override
  void install(PageProgram into, String client, String example) throws Exception {
    into.write("weir-client.mjs", client).write("example.mjs", example).copy("drive.mjs");
  }

  @Override
  List<String> driver() {
    return List.of("node", "drive.mjs");
  }

  @Override
  List<String> example() {
    return List.of("node", "example.mjs");
  }

  @Override
  List<String> exampleSays() {
    return List.of("[200,{}]");
  }

  /** The second request may start before the first one's connection is free again. */
  @Override
  int mostConnections() {
    return 2;
  }

  @Test
  void asksAgainAfterAFailure() throws Exception {
    asksAgainAfterASecond();
  }
}
