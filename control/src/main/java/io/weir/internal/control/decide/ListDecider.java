package io.weir.internal.control.decide;

import io.weir.internal.control.decide.request.DescribedRequest;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decides the requests of a list at once, those of one caller in the list's order. One that can't
 * be decided keeps none of the others from its answer.
 *
 * <p>Of each caller the first goes alone: once it is decided the caller is known, and the others
 * come to the limiter in their order. Otherwise they would all wait for the same look-up, after
 * which nobody promises an order.
 *
 * <p>Immutable.
 */
record ListDecider(Function<RequestInfo, CompletionStage<CheckAnswer>> check) {
  /** Whom most rules count. */
  private record Caller(Object user, Object key, Object address) {
    static Caller of(DescribedRequest request) {
      return new Caller(request.user(), request.apiKey(), request.peer());
    }
  }

  /** A request with its place in the list. */
  private record Placed(int place, DescribedRequest request) {}

  /**
   * Decides all; completed once all are decided, and never exceptionally.
   *
   * @param requests each throws a {@link RuntimeException} if its description breaks a rule
   */
  CompletionStage<List<ListedAnswer>> of(List<Supplier<DescribedRequest>> requests) {
    List<CompletableFuture<ListedAnswer>> answers = new ArrayList<>(requests.size());
    Map<Caller, List<Placed>> byCaller = new LinkedHashMap<>();
    for (Supplier<DescribedRequest> each : requests) {
      CompletableFuture<ListedAnswer> answer = new CompletableFuture<>();
      try {
        Placed placed = new Placed(answers.size(), each.get());
        byCaller.computeIfAbsent(Caller.of(placed.request()), any -> new ArrayList<>()).add(placed);
      } catch (RuntimeException wrong) {
        answer.complete(ListedAnswer.of(wrong));
      }
      answers.add(answer);
    }
    decide(answers, byCaller.values());
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
  }

  private void decide(
      List<CompletableFuture<ListedAnswer>> answers, Collection<List<Placed>> callers) {
    for (List<Placed> each : callers) {
      Placed first = each.get(0);
      decide(first, answers);
      CompletionStage<ListedAnswer> known = answers.get(first.place());
      known.thenAccept(any -> each.subList(1, each.size()).forEach(next -> decide(next, answers)));
    }
  }

  private void decide(Placed request, List<CompletableFuture<ListedAnswer>> answers) {
    CompletableFuture<ListedAnswer> answer = answers.get(request.place());
    try {
      check
          .apply(request.request())
          .whenComplete(
              (decided, failed) ->
                  answer.complete(
                      failed == null ? ListedAnswer.of(decided) : ListedAnswer.of(cause(failed))));
    } catch (RuntimeException mistake) {
      answer.complete(ListedAnswer.of(mistake));
    }
  }

  private static Throwable cause(Throwable failed) {
    Throwable cause = failed;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
