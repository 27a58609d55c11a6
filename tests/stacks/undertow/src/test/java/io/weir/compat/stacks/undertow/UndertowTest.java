package io.weir.compat.stacks.undertow;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.compat.servlet.ServletContract;
import io.weir.seeds.RunOneIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the tests of the servlet adapter. What Undertow prevents must fail, so that this stays true.
 */
@RunOneIn(5)
class UndertowTest implements ServletContract, UndertowServer {
  /** Undertow removes all fields and writes a page itself where no error page is registered. */
  @Test
  @Override
  public void anExceptionThatNobodyMapsStaysA500() {
    assertFails(ServletContract.super::anExceptionThatNobodyMapsStaysA500);
  }

  /** Undertow answers TRACE itself, with 200, so no error page comes. */
  @ParameterizedTest
  @ValueSource(strings = {"GET /closed/1", "GET /missing", "POST /missing"})
  @Override
  public void noErrorPageLeadsPastTheTargetsLimit(String failing) throws Exception {
    ServletContract.super.noErrorPageLeadsPastTheTargetsLimit(failing);
  }

  /** The same. */
  @ParameterizedTest
  @ValueSource(strings = {"GET /closed/1", "GET /missing"})
  @Override
  public void anErrorPageThatBeginsTheRequestCostsNothing(String failing) throws Exception {
    ServletContract.super.anErrorPageThatBeginsTheRequestCostsNothing(failing);
  }

  /** Undertow removes all fields and writes a page itself where no error page is registered. */
  @Test
  @Override
  public void anExceptionIsAFailureWhateverTheStatusWas() {
    assertFails(ServletContract.super::anExceptionIsAFailureWhateverTheStatusWas);
  }

  /** Undertow wraps a RuntimeException of an include into another one. */
  @Test
  @Override
  public void anIncludeThatIsRefusedIsAnExceptionThatTheIncludingServletMayCatch() {
    assertFails(
        ServletContract.super::anIncludeThatIsRefusedIsAnExceptionThatTheIncludingServletMayCatch);
  }

  /** Undertow answers 500 before any filter runs, with or without Weir. */
  @Test
  @Override
  public void aCookieOfOtherLettersIsNoErrorOfOurs() {
    assertFails(ServletContract.super::aCookieOfOtherLettersIsNoErrorOfOurs);
  }

  /** Undertow shows the application only the last of two cookies with one name. */
  @Test
  @Override
  public void anAmountInACookieMustBeTheOnlyOne() {
    assertFails(ServletContract.super::anAmountInACookieMustBeTheOnlyOne);
  }

  /** Undertow waits for more after what is no length of a chunk, and closes at the end of input. */
  @Test
  @Override
  public void aBodyThatTheContainerCannotReadIsRefused() {
    assertFails(ServletContract.super::aBodyThatTheContainerCannotReadIsRefused);
  }

  private static void assertFails(Executable impossible) {
    assertThrows(AssertionError.class, impossible, "passes: needs no override");
  }
}
