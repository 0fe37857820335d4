/// One layer of a network in training. The forward pass stores what the backward pass needs.
///
/// Networks hold their layers by concrete type. The protocol names what layers share, and lets one test check the
/// gradients of all.
public protocol Layer<Number>: AnyObject {
    /// Type of the numbers.
    associatedtype Number: Scalar

    /// The parameters that training changes.
    var parameters: [Parameter<Number>] { get }

    /// Computes the layer's output.
    ///
    /// - Parameter x: `[batch, …]`
    func forward(_ x: Tensor<Number>) -> Tensor<Number>

    /// Sets the gradients of the parameters.
    ///
    /// - Parameter dy: the loss's gradient with respect to the output of the last ``forward(_:)``.
    /// - Returns: the gradient with respect to its input.
    func backward(_ dy: Tensor<Number>) -> Tensor<Number>
}
