package io.weir.benchmarks.decisions.peers;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRuleManager;
import java.util.List;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Sentinel's flow control by a parameter, entered and left as its page on hot parameters shows it.
 * The rule's window of a day lets it remember its most, 200,000 values. Its slots count and time
 * the call too, which the others don't do.
 */
@State(Scope.Benchmark)
public class SentinelPerKey {
  private static final String RESOURCE = "search";
  private static final long DAY_SECONDS = 86_400;

  /** Loads the rule, and lets everybody pass once. */
  @Setup
  public void fill(CallerNames callers) {
    // Otherwise it writes files into the home directory of the user that runs this.
    System.setProperty("csp.sentinel.log.dir", System.getProperty("java.io.tmpdir") + "/sentinel");
    System.setProperty("csp.sentinel.log.output.type", "console");
    System.setProperty("csp.sentinel.log.level", "OFF");
    ParamFlowRule rule = new ParamFlowRule(RESOURCE).setParamIdx(0).setDurationInSec(DAY_SECONDS);
    rule.setCount(CallerNames.LIMIT);
    ParamFlowRuleManager.loadRules(List.of(rule));
    for (String text : callers.texts()) {
      take(text);
    }
  }

  /** Enters and leaves, if that is allowed. */
  public boolean take(String caller) {
    try {
      Entry entry = SphU.entry(RESOURCE, EntryType.IN, 1, caller);
      entry.exit(1, caller);
      return true;
    } catch (BlockException refused) {
      return false;
    }
  }
}
