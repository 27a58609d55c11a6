package io.weir.compat.jaxrs;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Leaves out what is Jersey's alone, and lets fail what a server can't pass. */
final class ListedTests implements InvocationInterceptor {
  @Override
  public void interceptTestMethod(
      Invocation<Void> test, ReflectiveInvocationContext<Method> invoked, ExtensionContext context)
      throws Throwable {
    run(test, invoked, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> test, ReflectiveInvocationContext<Method> invoked, ExtensionContext context)
      throws Throwable {
    run(test, invoked, context);
  }

  private static void run(
      Invocation<Void> test, ReflectiveInvocationContext<Method> invoked, ExtensionContext context)
      throws Throwable {
    JaxrsServing suite = (JaxrsServing) context.getRequiredTestInstance();
    Method method = invoked.getExecutable();
    JerseyOnly jersey = method.getAnnotation(JerseyOnly.class);
    if (jersey != null && !suite.runsJersey()) {
      test.skip();
      Assumptions.abort(jersey.value());
    } else if (suite.impossible().containsKey(method.getName())) {
      Assertions.assertThrows(
          Throwable.class, test::proceed, method.getName() + " passes: it can leave the list");
    } else {
      test.proceed();
    }
  }
}
