package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.OneDayIn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A refresh by Spring Cloud changes settings at once. */
@OneDayIn(2)
class CloudRefreshTest {
  @TempDir Path directory;

  @Test
  void changesSettingsAtOnce() throws Exception {
    List<String> path = new ArrayList<>(JavaProcess.classPath());
    path.add(0, System.getProperty("weir.test.spring-cloud-context")); // before types of our tests
    String output =
        JavaProcess.run(path, List.of(), CloudMain.class.getName(), directory.toString());
    assertTrue(output.contains("before: none"), output);
    assertTrue(output.contains("after: ietf"), output);
    assertTrue(output.endsWith("status 0"), output);
  }
}
