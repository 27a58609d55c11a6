package io.weir.internal.server.grpc.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.grpc.v1.PolicyExplanation;
import io.weir.grpc.v1.RegionCount;
import io.weir.internal.control.decide.ExplainAnswer;
import io.weir.internal.control.decide.RegionsAnswer;
import io.weir.internal.control.decide.RegionsAnswer.Counting;
import io.weir.internal.control.decide.RegionsAnswer.RegionAnswer;
import io.weir.internal.control.decide.RegionsAnswer.SumAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages say of regions what documents say. */
class CheckMessageMapperTest {
  private static PolicyExplanation explained(@Nullable RegionsAnswer regions) {
    return CheckMessageMapper.response(
            new ExplainAnswer(
                "user alice",
                "free",
                null,
                null,
                List.of(),
                List.of(),
                List.of(
                    new ExplainAnswer.PolicyExplanation(
                        "p", true, 6, "60s", "rule 1", "", true, 4L, 9L, false, false, regions))))
        .getPolicies(0);
  }

  @Test
  void regionsAreListed() {
    RegionAnswer eu = new RegionAnswer("eu", true, 6, 2L, 4L, 9L, null);
    RegionAnswer us = new RegionAnswer("us", false, 4, null, null, null, "connection refused");
    PolicyExplanation message =
        explained(new RegionsAnswer(Counting.SHARES, null, List.of(eu, us)));
    assertEquals("SHARES", message.getRegions().getCounting());
    assertFalse(message.getRegions().hasSum());
    RegionCount first = message.getRegions().getRegions(0);
    assertEquals("eu", first.getName());
    assertEquals(2, first.getUsed().getValue());
    assertEquals(4, first.getRemaining().getValue());
    assertEquals(9, first.getResetTime().getValue());
    assertEquals("", first.getUnanswered());
    RegionCount second = message.getRegions().getRegions(1);
    assertFalse(second.getIsOwn() || second.hasUsed() || second.hasRemaining());
    assertEquals("connection refused", second.getUnanswered());
  }

  @Test
  void partsAreAddedUp() {
    RegionsAnswer regions = new RegionsAnswer(Counting.SHARES, new SumAnswer(10, 5, 4), List.of());
    assertEquals(10, explained(regions).getRegions().getSum().getLimit());
    assertEquals(5, explained(regions).getRegions().getSum().getUsed());
    assertEquals(4, explained(regions).getRegions().getSum().getRemaining());
  }

  @Test
  void withoutRegionsNoneAreSet() {
    assertFalse(explained(null).hasRegions());
  }
}
