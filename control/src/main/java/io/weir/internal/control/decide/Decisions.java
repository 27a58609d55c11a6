package io.weir.internal.control.decide;

import io.weir.Decision;
import io.weir.RequestChecker;
import io.weir.Ticker;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.guard.WeirRuntime;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Decides described requests, alike for all protocols.
 *
 * <p>Safe for concurrent use.
 */
public final class Decisions {
  private final RequestChecker checker;
  private final Supplier<String> callerExpression;
  private final Answers answers;

  /**
   * Decisions of an application's limiter.
   *
   * @param checker decides
   * @param callerExpression where keys are read now, {@code weir.rules.caller}; empty: nowhere
   * @param ticker the limiter's time
   */
  public Decisions(RequestChecker checker, Supplier<String> callerExpression, Ticker ticker) {
    this.checker = checker;
    this.callerExpression = callerExpression;
    this.answers = new Answers(ticker);
  }

  /**
   * The decisions of a Weir, of which keys are read where {@code weir.rules.caller} says.
   *
   * @param weir decides
   * @return its decisions
   */
  public static Decisions of(WeirRuntime weir) {
    return new Decisions(weir.checker(), () -> weir.setting("weir.rules.caller"), weir.ticker());
  }

  /**
   * Decides a request, and charges it if it is admitted.
   *
   * @param request the request
   * @return the answer; completed exceptionally only by an {@link io.weir.InvalidRequestException},
   *     if a policy can't count it
   * @throws InvalidFieldException if the description breaks a rule
   */
  public CompletionStage<CheckAnswer> check(CheckRequest request) {
    return checker.check(described(request)).thenApply(answers::of);
  }

  /**
   * Decides several, each by itself.
   *
   * @param requests the requests; each throws an {@link InvalidFieldException} if it can't be read
   * @return what became of each, in their order: one that can't be decided has a problem in its
   *     place, and the others are decided. Never completed exceptionally
   */
  public CompletionStage<List<ListedAnswer>> checkEach(List<Supplier<CheckRequest>> requests) {
    List<Supplier<DescribedRequest>> described = new ArrayList<>(requests.size());
    for (Supplier<CheckRequest> each : requests) {
      int place = described.size();
      described.add(() -> described(each.get(), place));
    }
    return new EachByItself(request -> checker.check(request).thenApply(answers::of)).of(described);
  }

  /**
   * Decides several, all or nothing.
   *
   * @param requests the requests
   * @return the answers in their order; if one is refused, nothing was taken for any
   * @throws InvalidFieldException if a description breaks a rule; names which
   */
  public CompletionStage<List<CheckAnswer>> checkTogether(List<CheckRequest> requests) {
    List<RequestInfo> described = List.copyOf(described(requests));
    return described.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : checker.checkTogether(described).thenApply(this::all);
  }

  private List<CheckAnswer> all(List<Optional<Decision>> decided) {
    List<CheckAnswer> all = new ArrayList<>(decided.size());
    for (Optional<Decision> each : decided) {
      all.add(answers.of(each));
    }
    return all;
  }

  /**
   * Decides a request as {@link #check} does, for protocols that return more of a decision than HTTP.
   *
   * @param request the request
   * @return the decision, nothing if nothing limits the request
   * @throws InvalidFieldException if the description breaks a rule
   */
  public CompletionStage<Optional<Decision>> decide(CheckRequest request) {
    return checker.check(described(request));
  }

  /**
   * Decides several as {@link #checkTogether} does.
   *
   * @param requests the requests, at least one
   * @return the decisions in their order
   * @throws InvalidFieldException if a description breaks a rule; names which
   */
  public CompletionStage<List<Optional<Decision>>> decideTogether(List<CheckRequest> requests) {
    return checker.checkTogether(List.copyOf(described(requests)));
  }

  /**
   * What a decision says in whole seconds.
   *
   * @param decided what {@link #decide} answered
   * @return the answer
   */
  public CheckAnswer answer(Optional<Decision> decided) {
    return answers.of(decided);
  }

  DescribedRequest described(CheckRequest request) {
    return DescribedRequest.of(request, callerExpression());
  }

  private List<DescribedRequest> described(List<CheckRequest> requests) {
    List<DescribedRequest> described = new ArrayList<>(requests.size());
    for (CheckRequest each : requests) {
      described.add(described(each, described.size()));
    }
    return described;
  }

  private DescribedRequest described(CheckRequest request, int place) {
    try {
      return described(request);
    } catch (InvalidFieldException wrong) {
      throw wrong.in("[" + place + "]");
    }
  }

  /** What a check would decide now; counts nothing. */
  Optional<Decision> peek(RequestInfo request) {
    return checker.peek(request);
  }

  /** Where keys are read now; empty: nowhere. */
  String callerExpression() {
    return callerExpression.get();
  }

  Answers answers() {
    return answers;
  }
}
