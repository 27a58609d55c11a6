package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what {@code ./t NAME} finds. */
class OneTestScriptTest {
  @ParameterizedTest
  @CsvSource({
    "OneTestScriptTest, runtime",
    "OneTestScriptTest#findsTheModule*, runtime",
    "io.weir.architecture.OneTestScriptTest, runtime",
    "OneTestScript*, runtime",
    "MvcCallersTest, integrations/spring/boot4",
    "RedisStoreTest, tests/compat/redis",
  })
  void findsTheModuleOfATest(String name, String module) throws Exception {
    assertEquals(new Answer(0, module + "\n"), ask(name, "-where"));
  }

  /** Maven would be green without having run one. */
  @Test
  void refusesWhatIsNoTest() throws Exception {
    assertEquals(new Answer(1, "There is no test NowhereTest.\n"), ask("NowhereTest", "-where"));
    Answer untested = ask("FixedWindowTest", "-where");
    assertEquals(1, untested.status);
    assertTrue(untested.text.contains("BucketLawsTest"), untested.text);
    Answer contract = ask("PermitStoreContract", "-where");
    assertEquals(1, contract.status);
    assertTrue(contract.text.contains("MapStoreContractTest"), contract.text);
  }

  @Test
  void saysWhatItExpects() throws Exception {
    Answer answer = ask();
    assertEquals(2, answer.status);
    assertTrue(answer.text.contains("./t NAME [-deep]"), answer.text);
  }

  private record Answer(int status, String text) {}

  private static Answer ask(String... arguments) throws IOException, InterruptedException {
    Path house = Path.of("").toAbsolutePath();
    while (!Files.exists(house.resolve("t"))) {
      house = house.getParent();
    }
    List<String> command = new ArrayList<>(List.of("bash", house.resolve("t").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), text);
  }
}
