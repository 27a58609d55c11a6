package io.weir.servlet;

import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.http.Refusal;
import io.weir.spi.DecisionPhase;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What all filters of an application do: decide a request for where it is led, and let it pass or
 * answer it.
 *
 * <p>Safe for concurrent use.
 */
final class RequestLimiter {
  private final WeirRuntime weir;
  private final ServletEndpoints endpoints;

  RequestLimiter(WeirRuntime weir, ServletEndpoints endpoints) {
    this.weir = weir;
    this.endpoints = endpoints;
  }

  /** Lets a request cross a filter that knows of the target what the request says. */
  void cross(
      FilterPhase phase,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    DispatchTarget target = DispatchTarget.of(request);
    Optional<DispatchedRequest> begun = DispatchedRequest.of(request, weir);
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      crossInError(begun, target, phase.phases(), request, response, chain);
    } else {
      cross(begun, target, phase.phases(), request, response, chain);
    }
  }

  /**
   * Lets a request cross the filter right before a servlet: the last one to see where a dispatch by
   * name leads, and what filters have made of the method. Where nothing is new it does nothing.
   */
  void crossLast(
      String servlet, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<DispatchedRequest> begun = DispatchedRequest.of(request, weir);
    DispatchTarget target = DispatchTarget.of(servlet, request);
    List<DecisionPhase> phases = FilterPhase.BOTH.phases();
    DispatcherType type = request.getDispatcherType();
    if (type == DispatcherType.ERROR) {
      crossInError(begun, target, phases, request, response, chain);
    } else if (type == DispatcherType.REQUEST
        && begun.map(each -> each.isAt(target)).orElse(true)) {
      chain.doFilter(request, response);
    } else {
      cross(begun, target, phases, request, response, chain);
    }
  }

  /**
   * An error belongs to the request before: it is charged nothing, least of all for whom nobody has
   * signed in. What the page dispatches to is decided like any other.
   */
  private void crossInError(
      Optional<DispatchedRequest> begun,
      DispatchTarget target,
      List<DecisionPhase> phases,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    if (begun.isEmpty()) {
      chain.doFilter(request, response);
    } else if (begun.get().isFromErrorPageTo(target)) {
      cross(begun, target, phases, request, response, chain);
    } else {
      crossToErrorPage(begun.get(), target, request, response, chain);
    }
  }

  private void cross(
      Optional<DispatchedRequest> begun,
      DispatchTarget target,
      List<DecisionPhase> phases,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    ServletEndpoints.Endpoint endpoint = endpoints.of(target);
    DispatchedRequest passage =
        begun.isPresent() ? begun.get() : DispatchedRequest.begin(weir, request, target, endpoint);
    boolean included = isIncluded(passage, request);
    boolean returned = false;
    try {
      Runnable depart = passage.arrive(target, endpoint, request, response, included);
      try {
        if (included) {
          passPart(passage, request, response, chain);
        } else {
          pass(passage, phases, request, response, chain);
        }
      } finally {
        depart.run();
      }
      returned = true;
    } finally {
      boolean first = begun.isEmpty();
      if (!returned && (first || request.getDispatcherType() == DispatcherType.ASYNC)) {
        passage.failed();
      }
      if (!included) {
        tellAgain(passage, request, response);
      }
      if (first) {
        end(passage, request, response);
      }
    }
  }

  /** Whether the response ignores what a refusal sets: in an include, also if it forwards. */
  private static boolean isIncluded(DispatchedRequest passage, HttpServletRequest request) {
    return switch (request.getDispatcherType()) {
      case INCLUDE -> true;
      case FORWARD ->
          passage.isIncluded()
              || request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null;
      default -> false;
    };
  }

  private static void pass(
      DispatchedRequest passage,
      List<DecisionPhase> phases,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    Optional<Refusal> refusal = passage.decide(phases);
    if (refusal.isPresent()) {
      refuse(passage, refusal.get(), request, response);
    } else {
      passage.tell();
      proceed(passage, request, response, chain);
    }
  }

  /** A part that is refused refuses all, or is left out of what is on its way already. */
  private static void passPart(
      DispatchedRequest passage,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    Optional<RuntimeException> refusal = passage.decidePart();
    if (refusal.isEmpty()) {
      passage.tell();
      chain.doFilter(request, response);
    } else if (passage.canRefuse()) {
      throw passage.refusePart(refusal.get());
    }
  }

  private static void crossToErrorPage(
      DispatchedRequest passage,
      DispatchTarget page,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    Runnable depart = passage.arriveAtErrorPage(page, request, response);
    try {
      proceed(passage, request, response, chain);
    } finally {
      depart.run();
      tellAgain(passage, request, response);
    }
  }

  private static void proceed(
      DispatchedRequest passage,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException thrown) {
      Optional<Refusal> refusal = passage.refusalIn(thrown);
      if (refusal.isEmpty() || response.isCommitted()) {
        throw thrown;
      }
      passage.giveBackIfPartRefused(thrown);
      refuse(passage, refusal.get(), request, response);
    }
  }

  private static void refuse(
      DispatchedRequest passage,
      Refusal refusal,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    passage.refused(refusal);
    Responses.send(refusal, request, response);
    if (request.isAsyncStarted()) {
      request.getAsyncContext().complete();
    }
  }

  /** A response that another thread may be writing is left alone. */
  private static void tellAgain(
      DispatchedRequest passage, HttpServletRequest request, HttpServletResponse response) {
    if (!request.isAsyncStarted()) {
      passage.tellAgain(response);
    }
  }

  private static void end(
      DispatchedRequest passage, HttpServletRequest request, HttpServletResponse response) {
    passage.unmark(request);
    if (request.isAsyncStarted()) {
      AsyncCompletion.await(passage, request, response);
    } else {
      passage.completed(response.getStatus());
    }
  }
}
