package io.weir.internal.control.admin.rules;

import io.weir.internal.control.admin.rules.RuleChangesDocument.RuleChange;
import io.weir.internal.control.admin.rules.RuleChangesDocument.SavedChanges;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.Json;
import io.weir.rules.Rule;
import io.weir.rules.RuleRepository;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans several changes of rules, and the changes that take them back. Confine to one thread. */
final class RuleChangePlan {
  /** The most bytes of a request that changes rules, or takes a change back. */
  static final int MAX_BYTES = 1 << 20;

  /** Versions are exact in JavaScript. */
  private static final long MAX_VERSION = 1L << 53;

  /** As many digits as ids and versions may have, which aren't known before the change. */
  private static final int NUMBERS = 40;

  private final RuleRepository rules;
  private final List<Rule> wanted = new ArrayList<>();
  private final List<Rule> deleted = new ArrayList<>();

  /** The place of each wanted rule in the request. */
  private final List<String> places = new ArrayList<>();

  /** The rules to be replaced or deleted, as they are now. */
  private final Map<Long, Rule> before = new LinkedHashMap<>();

  private RuleChangePlan(RuleRepository rules) {
    this.rules = rules;
  }

  /**
   * Reads the changes of a request.
   *
   * @throws InvalidFieldException if one isn't complete, or names a rule that another one names
   * @throws InvalidRuleException if a rule is invalid
   * @throws ConflictException if a rule no longer exists
   */
  static RuleChangePlan of(RuleChangesDocument request, RuleRepository rules) {
    RuleChangePlan plan = new RuleChangePlan(rules);
    int i = 0;
    for (RuleChange each : request.checked()) {
      String place = "changes[" + i++ + "]";
      try {
        plan.add(each, place + ".rule");
      } catch (InvalidFieldException wrong) {
        throw wrong.in(place);
      }
    }
    return plan;
  }

  private void add(@Nullable RuleChange change, String place) {
    if (change == null) {
      throw new InvalidFieldException("", "must be an object");
    }
    RuleDocument rule = change.rule();
    if (change.id() == null) {
      if (rule == null) {
        throw new InvalidFieldException("rule", "must be given where there is no id");
      }
      add(rule, 0, 0, "", place);
      return;
    }
    long id = change.id();
    long version = FieldReader.required("version", change.version(), 0, MAX_VERSION);
    Rule now = rules.find(id).orElseThrow(() -> unreadable(id));
    requireUndo(now);
    if (before.put(id, now) != null) {
      throw new InvalidFieldException("id", "must not be repeated");
    }
    if (rule == null) {
      deleted.add(now.toBuilder().row(id, version).build());
    } else {
      add(rule, id, version, now.givenName().isPresent() ? "" : now.name(), place);
    }
  }

  private RuntimeException unreadable(long id) {
    return rules.version(id).isPresent()
        ? new InvalidFieldException(
            "id",
            "must be that of a rule that can be read, so that 'undo' can put it back; delete "
                + id
                + " by itself")
        : new ConflictException("rate_limit_rules " + id + " no longer exists");
  }

  /** Refuses a rule that SQL has written with more than requests may have. */
  private static void requireUndo(Rule now) {
    try {
      var unused = RuleDocument.ofRow(now).rule(0, 0, "");
    } catch (InvalidFieldException wrong) {
      throw new InvalidFieldException(
          "id",
          "must be that of a rule that 'undo' can put back; change "
              + now.id()
              + " by itself, since its "
              + wrong.getMessage());
    }
  }

  private void add(RuleDocument rule, long id, long version, String generatedName, String place) {
    try {
      wanted.add(rule.rule(id, version, generatedName));
      places.add(place);
    } catch (InvalidFieldException wrong) {
      throw wrong.in("rule");
    } catch (InvalidRuleException wrong) {
      throw new InvalidRuleException(
          wrong.problems().stream().map(each -> in(place, each)).toList());
    }
  }

  /** Names a field by its place in the request. */
  private static RuleProblem in(String place, RuleProblem problem) {
    String field = problem.field().isEmpty() ? place : place + "." + problem.field();
    return new RuleProblem(
        problem.table(), problem.row(), field, problem.message(), problem.isWarning());
  }

  /**
   * Returns what the changes would write, with the warnings for their author.
   *
   * @throws InvalidRuleException if a rule is invalid beside the others
   * @throws ConflictException if a row has another version by now
   */
  SavedChanges check() {
    List<List<RuleProblem>> problems = rules.check(wanted, deleted);
    List<RuleProblem> wrong = new ArrayList<>();
    List<RuleDocument> documents = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      List<String> warnings = new ArrayList<>();
      for (RuleProblem each : problems.get(i)) {
        if (each.isWarning()) {
          warnings.add(each.message());
        } else {
          wrong.add(in(places.get(i), each));
        }
      }
      documents.add(RuleDocument.of(wanted.get(i), warnings));
    }
    if (!wrong.isEmpty()) {
      throw new InvalidRuleException(wrong);
    }
    wanted.forEach(this::requireUnchanged);
    deleted.forEach(this::requireUnchanged);
    requireSmallUndo();
    return new SavedChanges(documents, null);
  }

  private void requireUnchanged(Rule wanted) {
    Rule now = before.get(wanted.id());
    if (now == null) {
      return;
    }
    String row = "rate_limit_rules " + now.id();
    if (now.origin().isPresent()) {
      throw new ConflictException(
          row
              + " is read from "
              + now.origin().get()
              + ", which Weir never writes: change it there");
    }
    if (now.version() != wanted.version()) {
      throw new ConflictException(
          row + " has version " + now.version() + " now, not " + wanted.version());
    }
  }

  /** Refuses changes that couldn't be taken back, since a request may have only so many bytes. */
  private void requireSmallUndo() {
    int bytes = Json.bytes(undo(wanted)).length + wanted.size() * NUMBERS;
    if (bytes > MAX_BYTES) {
      throw new InvalidFieldException(
          "changes",
          "must be fewer: 'undo' would have "
              + bytes
              + " bytes, and a request may have "
              + MAX_BYTES);
    }
  }

  /**
   * Makes the changes: all of them, or none.
   *
   * @throws InvalidRuleException if a rule is invalid beside the others
   * @throws ConflictException if a row has another version by now, or no longer exists
   */
  SavedChanges save(String author) {
    List<RuleDocument> checked = check().rules();
    List<Rule> saved = rules.change(wanted, deleted, author);
    List<RuleDocument> documents = new ArrayList<>();
    for (int i = 0; i < saved.size(); i++) {
      documents.add(RuleDocument.of(saved.get(i), checked.get(i).warnings()));
    }
    return new SavedChanges(documents, undo(saved));
  }

  private RuleChangesDocument undo(List<Rule> saved) {
    List<RuleChange> undo = new ArrayList<>();
    for (Rule rule : saved) {
      undo.add(new RuleChange(rule.id(), rule.version(), document(before.get(rule.id()))));
    }
    deleted.forEach(each -> undo.add(new RuleChange(null, null, document(before.get(each.id())))));
    return new RuleChangesDocument(undo);
  }

  private static @Nullable RuleDocument document(@Nullable Rule rule) {
    return rule == null ? null : RuleDocument.ofRow(rule);
  }
}
