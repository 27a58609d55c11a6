package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In this module nothing weaves; that woven methods are found is tried where something does. */
class WeavingCheckTest {
  /** Has two limited methods, of which one is for others to write. */
  abstract static class Sms {
    @RateLimit(limit = 3, window = 60)
    void send() {}

    @RateLimit(limit = 3, window = 60)
    abstract void receive();

    @Unlimited
    void free() {}
  }

  /** Has one limit for all its methods. */
  @RateLimit(limit = 3, window = 60)
  static class Shop {
    /** Does nothing. */
    public void buy() {}
  }

  private static List<String> mistakes(Class<?>... types) {
    try (Weir weir = Weir.builder().build()) {
      return assertThrows(InvalidPolicyException.class, () -> weir.checkWoven(types)).mistakes();
    }
  }

  @Test
  void namesEachMethodAndClassThatNothingLimitsAndWhatToDo() {
    List<String> mistakes = mistakes(Sms.class, Shop.class);
    String what = ": isn't woven, so its limits don't apply. Start with -javaagent:aspectjweaver-";
    assertEquals(
        List.of("WeavingCheckTest$Sms#send" + what, "WeavingCheckTest$Shop" + what),
        mistakes.stream()
            .map(each -> each.replaceFirst("^.*\\.(?=WeavingCheckTest)", ""))
            .map(each -> each.substring(0, each.indexOf(what) + what.length()))
            .toList());
  }

  @Test
  void theOtherCheckDemandsNoWeaver() {
    try (Weir weir = Weir.builder().build()) {
      weir.check(Sms.class, Shop.class);
    }
  }
}
