package io.weir.compat.stacks.spring.mvc;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** The endpoints of the checks. */
@RestController
class Endpoints {
  @GetMapping("/ip")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
  String ip() {
    return "ip";
  }

  @GetMapping("/user")
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
  String user() {
    return "user";
  }

  @GetMapping("/key")
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
  String key() {
    return "key";
  }

  /** Answers from another thread. */
  @GetMapping("/async")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
  DeferredResult<String> async() {
    DeferredResult<String> result = new DeferredResult<>();
    later(() -> result.setResult("async"));
    return result;
  }

  @GetMapping("/mapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
  String mapped() {
    throw new ExpectedException();
  }

  /** Succeeds or fails as the request says. */
  @GetMapping("/failures")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
  String failures(@RequestParam(name = "status", defaultValue = "200") int status) {
    if (status == 422) {
      throw new UnprocessableException();
    }
    return "fine";
  }

  /** The same from another thread. */
  @GetMapping("/failures-async")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
  DeferredResult<String> failuresAsync(
      @RequestParam(name = "status", defaultValue = "200") int status) {
    DeferredResult<String> result = new DeferredResult<>();
    later(
        () -> {
          if (status == 422) {
            result.setErrorResult(new UnprocessableException());
          } else {
            result.setResult("fine");
          }
        });
    return result;
  }

  @GetMapping("/unmapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
  String unmapped() {
    throw new IllegalStateException("on purpose");
  }

  @GetMapping("/unmapped-success")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "unmapped-success")
  String unmappedSuccess() {
    throw new IllegalStateException("on purpose");
  }

  @GetMapping("/free")
  String free() {
    return "free";
  }

  @GetMapping("/items/{id}")
  String item(@PathVariable("id") String id) {
    return id;
  }

  private static void later(Runnable answer) {
    Thread thread = new Thread(answer, "checked-async");
    thread.setDaemon(true);
    thread.start();
  }
}
