package io.weir.compat.example;

/** Tests every row of the table of endpoints. */
public abstract class ExampleTests extends ExampleServer
    implements WindowTests,
        CallerTests,
        LoginTests,
        GuessingTests,
        ModeTests,
        PlanTests,
        QuotaTests,
        DeniedTests,
        AnswerTests {}
