package io.weir.internal.control.admin.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A column without a member would be lost when a rule is read and written again. */
class RuleDocumentTest {
  @Test
  void hasAMemberForEachColumnOfARule() {
    List<String> members = JsonRecords.names(RuleDocument.class);
    assertEquals(
        List.of(),
        RuleColumns.NAMES.stream()
            .map(JsonRecords::camelCase)
            .filter(name -> !members.contains(name))
            .toList());
  }
}
