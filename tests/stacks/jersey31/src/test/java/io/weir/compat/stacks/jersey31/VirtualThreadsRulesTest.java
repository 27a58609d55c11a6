package io.weir.compat.stacks.jersey31;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * The checks of rules where one thread carries all virtual threads, so that none may hold it up.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Jersey 3.1 on Grizzly, virtual threads";
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    String oneCarrier = "-Djdk.virtualThreadScheduler.parallelism=1";
    return StackProcess.runWithRules(
        VirtualThreadsApplication.class,
        Stream.concat(options.stream(), Stream.of(oneCarrier)).toList());
  }
}
