package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the Python of docs/languages.md. */
class PythonClientTest extends LanguageChecks {
  @Override
  String heading() {
    return "Python";
  }

  @Override
  String language() {
    return "python";
  }

  @Override
  String needed() {
    return "python3";
  }

  @Override
  void install(PageProgram into, String client, String example) throws Exception {
    into.write("weir_client.py", client).write("example.py", example).copy("drive.py");
  }

  @Override
  List<String> driver() {
    return List.of("python3", "drive.py");
  }

  @Override
  List<String> example() {
    return List.of("python3", "example.py");
  }

  @Override
  List<String> exampleSays() {
    return List.of("(200, {})");
  }

  @Test
  void asksAgainAfterAFailure() throws Exception {
    asksAgainAfterASecond();
  }

  @Test
  void opensAConnectionAgainThatWasClosedMeanwhile() throws Exception {
    assertEquals(List.of("admitted", "admitted"), askServer("closed", "grace", "-", "grace"));
  }
}
