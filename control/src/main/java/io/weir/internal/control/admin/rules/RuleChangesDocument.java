package io.weir.internal.control.admin.rules;

import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.resource.Described;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of several rules, made in one transaction. */
record RuleChangesDocument(
    @Described("1 to 1000 changes, each of another rule") @Nullable List<RuleChange> changes) {
  private static final int MAX_CHANGES = 1_000;

  record RuleChange(
      @Described("The rule to replace, or to delete if 'rule' is left out; a rule without is added")
          @Nullable Long id,
      @Described("The version that the change is based on; required with an id")
          @Nullable Long version,
      @Nullable RuleDocument rule) {}

  record SavedChanges(
      @Described("The rules that were added or replaced, in the order of the changes")
          List<RuleDocument> rules,
      @Described("The changes that take all of these back; null with dryRun=true")
          @Nullable RuleChangesDocument undo) {}

  List<RuleChange> checked() {
    if (changes == null || changes.isEmpty() || changes.size() > MAX_CHANGES) {
      throw new InvalidFieldException(
          "changes", "must be a list of 1 to " + MAX_CHANGES + " changes");
    }
    return changes;
  }
}
