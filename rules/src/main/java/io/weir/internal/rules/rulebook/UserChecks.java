package io.weir.internal.rules.rulebook;

import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.RuleProblem;
import io.weir.rules.UserTier;
import java.util.List;

/** Looks for own limits that fit nothing. */
final class UserChecks {
  private UserChecks() {}

  static List<RuleProblem> problems(UserTier user, OwnRules rules) {
    RowProblems row = new RowProblems(RuleTable.USERS, RuleTable.USERS.shown(user.userId()));
    for (OwnLimits.Entry each : OwnLimits.of(user.ownLimits()).entries()) {
      if (!rules.fits(user.tier(), each)) {
        row.wrong(
            "custom_limits",
            "'"
                + each.limit().rule()
                + "' is neither name nor pattern of a rule of "
                + user.tier());
      }
    }
    return row.all();
  }
}
