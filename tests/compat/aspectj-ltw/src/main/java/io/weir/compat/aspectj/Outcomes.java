package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Methods whose policies count only failures or successes. */
public class Outcomes {
  @RateLimit(limit = 2, window = 60, by = By.ENDPOINT, count = Count.FAILURES)
  public @Nullable String failures(@Nullable Exception failure) throws Exception {
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  @RateLimit(limit = 2, window = 60, by = By.ENDPOINT, count = Count.SUCCESSES)
  public String successes(boolean success) throws IOException {
    if (!success) {
      throw new IOException("no success");
    }
    return "success";
  }

  @RateLimit(
      limit = 2,
      window = 60,
      by = By.KEY,
      key = "param:account",
      count = Count.FAILURES,
      clearOn = ClearOn.SUCCESS)
  public String signIn(String account, boolean right) throws IOException {
    if (!right) {
      throw new IOException("wrong password");
    }
    return account;
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT, count = Count.FAILURES)
  public CompletableFuture<String> later(CompletableFuture<String> answer) {
    return answer;
  }
}
