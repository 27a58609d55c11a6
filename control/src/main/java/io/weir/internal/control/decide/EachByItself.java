package io.weir.internal.control.decide;

import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Decides the requests of a list at once, those of one caller in the list's order.
 *
 * <p>Of each caller the first goes alone: once it is decided the caller is known, and the others
 * come to the limiter in their order. Otherwise they would all wait for the same look-up, after
 * which nobody promises an order.
 *
 * <p>Immutable.
 */
record EachByItself(Function<RequestInfo, CompletionStage<CheckAnswer>> check) {
  /** Whom most rules count. */
  private record Caller(Object user, Object key, Object address) {
    static Caller of(DescribedRequest request) {
      return new Caller(request.user(), request.apiKey(), request.peer());
    }
  }

  /** Completed once all are decided. */
  CompletionStage<List<CheckAnswer>> of(List<DescribedRequest> requests) {
    List<CompletableFuture<CheckAnswer>> answers = new ArrayList<>(requests.size());
    Map<Caller, List<Integer>> byCaller = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      answers.add(new CompletableFuture<>());
      byCaller.computeIfAbsent(Caller.of(requests.get(i)), any -> new ArrayList<>()).add(i);
    }
    decide(requests, answers, byCaller.values());
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
  }

  private void decide(
      List<DescribedRequest> requests,
      List<CompletableFuture<CheckAnswer>> answers,
      Collection<List<Integer>> callers) {
    for (List<Integer> each : callers) {
      int first = each.get(0);
      decide(requests.get(first), answers.get(first));
      CompletionStage<CheckAnswer> known = answers.get(first);
      known.whenComplete(
          (answer, failed) -> {
            for (int next : each.subList(1, each.size())) {
              decide(requests.get(next), answers.get(next));
            }
          });
    }
  }

  private void decide(RequestInfo request, CompletableFuture<CheckAnswer> answer) {
    check
        .apply(request)
        .whenComplete(
            (decided, failed) -> {
              if (failed == null) {
                answer.complete(decided);
              } else {
                answer.completeExceptionally(failed);
              }
            });
  }
}
