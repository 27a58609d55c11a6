package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.rules.Rule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests rules by pattern whose failures a success clears. */
interface RuleClearTests extends RuleServing {
  private int post(String account, int status) {
    return app().send("POST", "/api/posts?status=" + status, "X-Account", account).status();
  }

  @Test
  default void aSuccessClearsTheFailuresOfItsAccountAlone() {
    app()
        .save(
            Rule.builder("*", "/api/posts")
                .name("in-a-row")
                .limit(2)
                .methods(Set.of("POST"))
                .countBy(List.of("header:X-Account"))
                .counts(Count.FAILURES)
                .clearOn(ClearOn.SUCCESS));
    assertEquals(401, post("ann", 401));
    assertEquals(200, post("ann", 200));
    assertEquals(401, post("ann", 401));
    assertEquals(200, app().get("/api/posts", "X-Account", "ann").status(), "clears nothing");
    assertEquals(401, post("ann", 401));
    assertEquals(200, post("bob", 200));
    assertEquals(429, post("ann", 200));
  }
}
