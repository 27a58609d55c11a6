package io.weir.compat.stacks.micronaut4;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;

/** Maps exceptions of the application. */
@Controller
class Errors {
  @Error(global = true)
  HttpResponse<String> expected(ExpectedException exception) {
    return HttpResponse.<String>serverError().body("mapped");
  }

  @Error(global = true)
  HttpResponse<String> unprocessable(UnprocessableException exception) {
    return HttpResponse.<String>unprocessableEntity().body("unprocessable");
  }
}
