package io.weir.compat.tomcat10;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedeployTest {
  private static final int TIMES = 10;

  @Test
  void redeployingTenTimesLeavesNoThreadAndNoClassLoader(@TempDir Path directory) throws Exception {
    try (Redeployment tomcat = new Redeployment(directory)) {
      tomcat.deployUseAndRemove();
      Set<String> before = Redeployment.threads();
      for (int i = 0; i < TIMES; i++) {
        tomcat.deployUseAndRemove();
      }
      tomcat.assertNothingIsLeft(before);
    }
  }
}
