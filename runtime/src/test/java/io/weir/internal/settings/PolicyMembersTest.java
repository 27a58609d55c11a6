package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each member of the annotation has its entry. */
class PolicyMembersTest {
  /** The unit is a part of the window; name and tiers have no entry. */
  private static final Set<String> WITHOUT_ROW = Set.of("unit", "name", "tiers");

  @Test
  void everyMemberOfTheAnnotationHasARow() {
    Set<String> members =
        Arrays.stream(RateLimit.class.getDeclaredMethods())
            .map(Method::getName)
            .filter(name -> !WITHOUT_ROW.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> rows =
        PolicyMembers.ALL.stream()
            .map(PolicyMember::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(members, rows);
  }

  @Test
  void settingsSpellMembersInLowerCaseWithHyphens() {
    assertEquals("exceed-by", PolicyMembers.EXCEED_BY.setting());
    assertEquals("on-store-failure", PolicyMembers.ON_STORE_FAILURE.setting());
    for (PolicyMember<?> each : PolicyMembers.ALL) {
      assertTrue(SettingNames.members().contains(each.setting()), each.setting());
    }
  }
}
