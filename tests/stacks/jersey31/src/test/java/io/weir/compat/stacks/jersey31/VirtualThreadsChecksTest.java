package io.weir.compat.stacks.jersey31;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The checks where one thread carries all virtual threads, so that none may hold it up. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Jersey 3.1 on Grizzly, virtual threads";
  }

  @Override
  protected Map<Integer, String> impossible() {
    return Map.of(26, "the page of an unmapped exception is the container's own");
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(
        VirtualThreadsApplication.class,
        "-Dweir.proxy.trusted=127.0.0.1",
        "-Djdk.virtualThreadScheduler.parallelism=1");
  }
}
